package io.penstock.protocol;

/** Why a byte stream cannot be read on; each ends the connection. */
public enum ParseFailure {
    /** Bytes that begin no operation, or a payload without its line end. */
    UNKNOWN_OPERATION,
    /** An operation with too few, too many or impossible arguments. */
    MALFORMED_ARGUMENTS,
    /** More argument bytes than the limit, ended or not. */
    CONTROL_LINE_TOO_LONG,
    /** A message above the payload limit. */
    PAYLOAD_TOO_LARGE,
    /** A message with headers on a connection that did not agree on them. */
    HEADERS_NOT_AGREED,
    /** The client sent an error. */
    ERROR_FROM_PEER
}
