package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowResponse;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The engine's messages over the link: a byte that tells the kind, then the message. */
final class Rpc {
    /** The link's channel for the engine's messages. */
    static final String CHANNEL = "raft";

    /** The link's channel for copies of state. */
    static final String FILES = "raft";

    private enum Kind {
        ERROR(0, ErrorResponse.class, ErrorResponse.parser()),
        APPEND(1, AppendEntriesRequest.class, AppendEntriesRequest.parser()),
        APPENDED(2, AppendEntriesResponse.class, AppendEntriesResponse.parser()),
        VOTE(3, RequestVoteRequest.class, RequestVoteRequest.parser()),
        VOTED(4, RequestVoteResponse.class, RequestVoteResponse.parser()),
        INSTALL(5, InstallSnapshotRequest.class, InstallSnapshotRequest.parser()),
        INSTALLED(6, InstallSnapshotResponse.class, InstallSnapshotResponse.parser()),
        TIMEOUT_NOW(7, TimeoutNowRequest.class, TimeoutNowRequest.parser()),
        TIMED_OUT(8, TimeoutNowResponse.class, TimeoutNowResponse.parser()),
        READ_INDEX(9, ReadIndexRequest.class, ReadIndexRequest.parser()),
        READ(10, ReadIndexResponse.class, ReadIndexResponse.parser()),
        /** As APPENDED, of a replica that may have forgotten votes: it must not count towards a majority. */
        LEARNED(11, AppendEntriesResponse.class, AppendEntriesResponse.parser());

        private static final Kind[] KINDS = values();
        private final byte code;
        private final Class<? extends Message> type;
        private final Parser<? extends Message> parser;

        Kind(int code, Class<? extends Message> type, Parser<? extends Message> parser) {
            this.code = (byte) code;
            this.type = type;
            this.parser = parser;
        }
    }

    private Rpc() {}

    /** The answer to an append of a replica that may have forgotten votes. */
    static byte[] encodeLearned(AppendEntriesResponse response) {
        byte[] bytes = encode(response);
        bytes[0] = Kind.LEARNED.code;
        return bytes;
    }

    /** Whether it is the answer to an append of a replica that may have forgotten votes. */
    static boolean isLearned(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == Kind.LEARNED.code;
    }

    static byte[] encode(Message message) {
        byte[] bytes = new byte[1 + message.getSerializedSize()];
        bytes[0] = kind(message).code;
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes, 1, bytes.length - 1);
            message.writeTo(out);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    private static Kind kind(Message message) {
        Class<?> type = message.getClass();
        for (Kind kind : Kind.KINDS) {
            if (kind.type == type) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no message of the link: " + type.getName());
    }

    /** The message; its data lie in {@code bytes}, which must not change. */
    static Message decode(byte[] bytes) throws InvalidProtocolBufferException {
        if (bytes.length == 0 || bytes[0] < 0 || bytes[0] >= Kind.KINDS.length) {
            throw new InvalidProtocolBufferException("a message of no known kind");
        }
        CodedInputStream in =
                UnsafeByteOperations.unsafeWrap(bytes, 1, bytes.length - 1).newCodedInput();
        in.enableAliasing(true);
        return Kind.KINDS[bytes[0]].parser.parseFrom(in);
    }
}
