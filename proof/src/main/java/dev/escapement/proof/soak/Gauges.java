package dev.escapement.proof.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process holds at one moment of rest.
 *
 * @param heapBytes used after a full collection
 * @param directBytes of buffers outside the heap, Netty's and the JDK's
 * @param threads alive
 * @param descriptors files and sockets that are open; 0 where the system does not say
 */
record Gauges(long heapBytes, long directBytes, long threads, long descriptors) {

    /** Collects and looks. */
    static Gauges read() {
        for (int i = 0; i < 3; i++) {
            // More than once: what the first one makes reachable for cleaning goes with the next.
            System.gc();
        }
        long jdkBytes = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return new Gauges(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                jdkBytes + Math.max(0, PlatformDependent.usedDirectMemory()),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                        ? unix.getOpenFileDescriptorCount()
                        : 0);
    }

    @Override
    public String toString() {
        return "heap_kb=" + heapBytes / 1024 + " direct_kb=" + directBytes / 1024 + " threads=" + threads
                + " descriptors=" + descriptors;
    }
}
