package dev.escapement.netty;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Names that stand for what a test says; one that it said nothing of is never answered. */
final class FixedNames implements NameResolver {

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    FixedNames with(String name, String... addresses) throws UnknownHostException {
        List<InetAddress> list = new ArrayList<>();
        for (String address : addresses) {
            list.add(InetAddress.getByName(address));
        }
        answers.put(name, new Answer(list, Duration.ofHours(1)));
        return this;
    }

    @Override
    public CompletableFuture<Answer> resolve(String name) {
        Answer answer = answers.get(name);
        return answer == null ? new CompletableFuture<>() : CompletableFuture.completedFuture(answer);
    }

    @Override
    public void close() {}
}
