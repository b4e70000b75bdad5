package io.penstock.consensus.link;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;

/** A connection whose socket others than the link's thread may write to. */
final class LinkChannel extends NioSocketChannel {
    LinkChannel() {}

    private LinkChannel(Channel parent, SocketChannel accepted) {
        super(parent, accepted);
    }

    /** It never blocks, so that writing is safe on a thread that is interrupted. */
    SocketChannel socketChannel() {
        return javaChannel();
    }

    /** Takes in connections of this kind. */
    static final class Server extends NioServerSocketChannel {
        @Override
        protected int doReadMessages(List<Object> accepted) throws IOException {
            SocketChannel socket = javaChannel().accept();
            if (socket == null) {
                return 0;
            }
            accepted.add(new LinkChannel(this, socket));
            return 1;
        }
    }
}
