package dev.escapement.benchmarks.gateway;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A proxy in a process of its own, pinned to one processor where that can be, whose costs are read from outside. One thread. */
final class ProxyProcess implements AutoCloseable {

    private final String name;
    private final Process process;
    private final InetSocketAddress address;
    private final OptionalJvm jvm;

    private ProxyProcess(String name, Process process, InetSocketAddress address, boolean java) throws IOException {
        this.name = name;
        this.process = process;
        this.address = address;
        awaitListening();
        jvm = java ? OptionalJvm.of(process.pid()) : OptionalJvm.none();
    }

    /** The shipped jar, everything on, with its log in a file or without one. */
    static ProxyProcess gateway(Path jar, Path directory, int port, int upstreamPort, boolean logs, List<String> pin)
            throws IOException {
        String name = logs ? "escapement" : "without log";
        Path config = directory.resolve(name.replace(' ', '-') + ".yaml");
        Files.writeString(config, """
                listen: 127.0.0.1:%d
                admin: 127.0.0.1:0
                access-log: {path: "%s"}
                inbound: {max-requests: unlimited, max-age: unlimited, keep-alive-timeout: 1h}
                policies:
                  quick: {timeout: 2s}
                upstreams:
                  web: {endpoints: ["http://127.0.0.1:%d"], policy: quick}
                routes:
                  - {name: all, match: {prefix: /}, upstream: web}
                """.formatted(port, logs ? directory.resolve("access.log") : "none", upstreamPort));
        List<String> command = new ArrayList<>(pin);
        command.addAll(java());
        command.addAll(List.of("-jar", jar.toString(), "--config", config.toString()));
        return new ProxyProcess(name, start(command), local(port), true);
    }

    static ProxyProcess bare(int port, int upstreamPort, List<String> pin) throws IOException {
        List<String> command = new ArrayList<>(pin);
        command.addAll(java());
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                BareProxy.class.getName(),
                Integer.toString(port),
                Integer.toString(upstreamPort)));
        return new ProxyProcess("bare Netty", start(command), local(port), true);
    }

    static ProxyProcess nginx(String program, Path directory, int port, int upstreamPort, List<String> pin)
            throws IOException {
        Path config = directory.resolve("nginx.conf");
        Files.writeString(config, """
                master_process off;
                daemon off;
                pid nginx.pid;
                error_log error.log;
                events { worker_connections 4096; }
                http {
                  access_log nginx-access.log;
                  keepalive_requests 1000000000;
                  client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
                  upstream web { server 127.0.0.1:%d; keepalive 256; keepalive_requests 1000000000; }
                  server {
                    listen 127.0.0.1:%d;
                    location / { proxy_pass http://web; proxy_http_version 1.1; proxy_set_header Connection ""; }
                  }
                }
                """.formatted(upstreamPort, port));
        List<String> command = new ArrayList<>(pin);
        command.addAll(List.of(program, "-p", directory.toString(), "-c", config.toString()));
        return new ProxyProcess("nginx", start(command), local(port), false);
    }

    private static List<String> java() {
        return List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xms512m",
                "-Xmx512m",
                "-Xmn192m",
                "-XX:+UseG1GC");
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress("127.0.0.1", port);
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void awaitListening() throws IOException {
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(address);
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > endNanos) {
                    throw new IOException(name + " does not listen", e);
                }
                Thread.onSpinWait();
            }
        }
    }

    String name() {
        return name;
    }

    InetSocketAddress address() {
        return address;
    }

    /** What its threads have used of the processors, the kernel on their behalf included. */
    Duration cpu() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** What the threads that are alive have allocated on the heap; empty for what is no JVM. */
    OptionalLong allocatedBytes() {
        return jvm.allocatedBytes();
    }

    @Override
    public void close() throws IOException {
        jvm.close();
        process.destroy();
        if (!process.onExit()
                .orTimeout(40, TimeUnit.SECONDS)
                .thenApply(ended -> true)
                .exceptionally(late -> false)
                .join()) {
            process.destroyForcibly();
        }
    }

    /** The beans of another JVM on this machine, or none. */
    private record OptionalJvm(List<JMXConnector> connector, List<ThreadMXBean> threads) {

        static OptionalJvm none() {
            return new OptionalJvm(List.of(), List.of());
        }

        static OptionalJvm of(long pid) throws IOException {
            try {
                VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
                String url = machine.startLocalManagementAgent();
                machine.detach();
                JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url));
                ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(
                        connector.getMBeanServerConnection(), ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
                return new OptionalJvm(List.of(connector), List.of(threads));
            } catch (com.sun.tools.attach.AttachNotSupportedException e) {
                throw new IOException("process " + pid + " cannot be looked into", e);
            }
        }

        OptionalLong allocatedBytes() {
            if (threads.isEmpty()) {
                return OptionalLong.empty();
            }
            ThreadMXBean bean = threads.get(0);
            long sum = 0;
            for (long bytes : bean.getThreadAllocatedBytes(bean.getAllThreadIds())) {
                sum += Math.max(0, bytes);
            }
            return OptionalLong.of(sum);
        }

        void close() throws IOException {
            for (JMXConnector open : connector) {
                open.close();
            }
        }
    }
}
