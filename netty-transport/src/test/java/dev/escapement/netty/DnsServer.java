package dev.escapement.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DefaultDnsResponse;
import io.netty.handler.codec.dns.DnsQuery;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.handler.codec.dns.TcpDnsQueryDecoder;
import io.netty.handler.codec.dns.TcpDnsResponseEncoder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A name server on loopback, UDP and TCP at one port, that answers as a test says, changes its mind when told to, and counts what it
 * was asked. Names it was told nothing of do not exist.
 */
@SuppressWarnings("FutureReturnValueIgnored")
final class DnsServer implements AutoCloseable {

    private static final int FITS_A_DATAGRAM = 20;

    /** What a name stands for: records of both families, or why there are none. */
    private record Zone(DnsResponseCode code, int ttl, List<InetAddress> addresses, String alias, boolean silent) {}

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Map<String, Zone> zones = new ConcurrentHashMap<>();
    private final Channel datagrams;

    // Guarded by this.
    private final List<String> asked = new ArrayList<>();
    private int askedByTcp;

    DnsServer() throws InterruptedException {
        datagrams = start();
    }

    /** Both kinds of socket on one port: a port that is free for the first may be taken for the second, and then another one is tried. */
    private Channel start() throws InterruptedException {
        ServerBootstrap streams = streams();
        Bootstrap packets = datagrams();
        for (; ; ) {
            Channel first =
                    streams.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
            ChannelFuture second = packets.bind(first.localAddress()).await();
            if (second.isSuccess()) {
                return second.channel();
            }
            first.close().sync();
        }
    }

    private Bootstrap datagrams() {
        return new Bootstrap().group(group).channel(NioDatagramChannel.class).handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline()
                        .addLast(
                                new DatagramDnsQueryDecoder(),
                                new DatagramDnsResponseEncoder(),
                                new SimpleChannelInboundHandler<DatagramDnsQuery>() {
                                    @Override
                                    protected void channelRead0(ChannelHandlerContext here, DatagramDnsQuery query) {
                                        InetSocketAddress us = query.recipient();
                                        InetSocketAddress them = query.sender();
                                        DatagramDnsResponse response = new DatagramDnsResponse(us, them, query.id());
                                        answer(query, response, false, here::writeAndFlush);
                                    }
                                });
            }
        });
    }

    private ServerBootstrap streams() {
        return new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new TcpDnsQueryDecoder(),
                                        new TcpDnsResponseEncoder(),
                                        new SimpleChannelInboundHandler<DnsQuery>() {
                                            @Override
                                            protected void channelRead0(ChannelHandlerContext here, DnsQuery query) {
                                                answer(
                                                        query,
                                                        new DefaultDnsResponse(query.id()),
                                                        true,
                                                        here::writeAndFlush);
                                            }
                                        });
                    }
                });
    }

    InetSocketAddress address() {
        return (InetSocketAddress) datagrams.localAddress();
    }

    /** A resolver that asks nobody else. */
    DnsResolver.Builder resolver() {
        return DnsResolver.builder().servers(List.of(address())).searchDomains(List.of());
    }

    // What it says.

    void has(String name, int ttlSeconds, InetAddress... addresses) {
        zones.put(name, new Zone(DnsResponseCode.NOERROR, ttlSeconds, List.of(addresses), "", false));
    }

    void alias(String name, int ttlSeconds, String target) {
        zones.put(name, new Zone(DnsResponseCode.NOERROR, ttlSeconds, List.of(), target, false));
    }

    void fails(String name, DnsResponseCode code) {
        zones.put(name, new Zone(code, 0, List.of(), "", false));
    }

    void isSilentAbout(String name) {
        zones.put(name, new Zone(DnsResponseCode.NOERROR, 0, List.of(), "", true));
    }

    private void answer(DnsQuery query, DnsResponse response, boolean tcp, Consumer<DnsResponse> send) {
        DnsQuestion question = query.recordAt(DnsSection.QUESTION);
        String name = question.name().substring(0, question.name().length() - 1);
        log(name, tcp);
        Zone zone = zones.getOrDefault(name, new Zone(DnsResponseCode.NXDOMAIN, 0, List.of(), "", false));
        if (zone.silent()) {
            response.release();
            return;
        }
        response.setAuthoritativeAnswer(true).setCode(zone.code());
        response.addRecord(DnsSection.QUESTION, question);
        fill(response, question, name, zone, tcp);
        send.accept(response);
    }

    private void fill(DnsResponse response, DnsQuestion question, String name, Zone zone, boolean tcp) {
        if (!zone.alias().isEmpty()) {
            response.addRecord(
                    DnsSection.ANSWER,
                    new DefaultDnsRawRecord(name + ".", DnsRecordType.CNAME, zone.ttl(), encoded(zone.alias())));
            Zone target = zones.get(zone.alias());
            if (target != null) {
                fill(response, question, zone.alias(), target, tcp);
            }
            return;
        }
        int length = question.type().equals(DnsRecordType.A) ? 4 : 16;
        List<InetAddress> fitting = zone.addresses().stream()
                .filter(address -> address.getAddress().length == length)
                .toList();
        if (!tcp && fitting.size() > FITS_A_DATAGRAM) {
            response.setTruncated(true);
            return;
        }
        for (InetAddress address : fitting) {
            response.addRecord(
                    DnsSection.ANSWER,
                    new DefaultDnsRawRecord(
                            name + ".", question.type(), zone.ttl(), Unpooled.wrappedBuffer(address.getAddress())));
        }
    }

    private static ByteBuf encoded(String name) {
        ByteBuf labels = Unpooled.buffer();
        for (String label : name.split("\\.", -1)) {
            labels.writeByte(label.length()).writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        return labels.writeByte(0);
    }

    // What it saw.

    private synchronized void log(String name, boolean tcp) {
        asked.add(name);
        askedByTcp += tcp ? 1 : 0;
        notifyAll();
    }

    /** How many queries there were for that name. */
    synchronized int asked(String name) {
        return (int) asked.stream().filter(name::equals).count();
    }

    synchronized int askedByTcp() {
        return askedByTcp;
    }

    /** Waits until there were so many. */
    synchronized void awaitAsked(String name, int times) throws InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (asked(name) < times) {
            if (System.nanoTime() > endNanos) {
                throw new AssertionError("asked " + asked(name) + " times for " + name + ": " + asked);
            }
            wait(1_000);
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
