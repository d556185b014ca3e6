package dev.escapement.gateway;

import dev.escapement.gateway.config.Addresses;
import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an address of the command line as a configuration has it. */
final class AddressConverter implements ITypeConverter<InetSocketAddress> {

    @Override
    public InetSocketAddress convert(String text) {
        return Addresses.read(text)
                .orElseThrow(() -> new TypeConversionException("\"" + text + "\": expected " + Addresses.expected()));
    }
}
