package io.penstock.consensus.link;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks host names up on threads that may wait: a slow name server must not hold up the links' only thread. */
final class HostNames extends InetNameResolver {
    static final AddressResolverGroup<InetSocketAddress> GROUP = new AddressResolverGroup<>() {
        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new HostNames(executor).asAddressResolver();
        }
    };

    private HostNames(EventExecutor executor) {
        super(executor);
    }

    @Override
    protected void doResolve(String host, Promise<InetAddress> promise) {
        Thread.ofVirtual().name("peer-host-name").start(() -> {
            try {
                promise.trySuccess(InetAddress.getAllByName(host)[0]);
            } catch (UnknownHostException e) {
                promise.tryFailure(e);
            }
        });
    }

    @Override
    protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
        Thread.ofVirtual().name("peer-host-name").start(() -> {
            try {
                promise.trySuccess(List.of(InetAddress.getAllByName(host)));
            } catch (UnknownHostException e) {
                promise.tryFailure(e);
            }
        });
    }
}
