package io.penstock.protocol.jetstream;

/**
 * Every error of the JetStream API: its number, the HTTP-like class of it and the text, in which words in braces are
 * filled in.
 */
public enum JsError {
    ACCOUNT_RESOURCES_EXCEEDED(10002, 400, "resource limits exceeded for account"),
    BAD_REQUEST(10003, 400, "bad request"),
    CLUSTER_INCOMPLETE(10004, 503, "incomplete results"),
    CLUSTER_NO_PEERS(10005, 400, "{err}"),
    CLUSTER_NOT_ACTIVE(10006, 500, "JetStream not in clustered mode"),
    CLUSTER_NOT_ASSIGNED(10007, 500, "JetStream cluster not assigned to this server"),
    CLUSTER_NOT_AVAIL(10008, 503, "JetStream system temporarily unavailable"),
    CLUSTER_NOT_LEADER(10009, 500, "JetStream cluster can not handle request"),
    CLUSTER_REQUIRED(10010, 503, "JetStream clustering support required"),
    CLUSTER_TAGS(10011, 400, "tags placement not supported for operation"),
    CONSUMER_CREATE(10012, 500, "{err}"),
    CONSUMER_NAME_EXIST(10013, 400, "consumer name already in use"),
    CONSUMER_NOT_FOUND(10014, 404, "consumer not found"),
    SNAPSHOT_DELIVER_SUBJECT_INVALID(10015, 400, "deliver subject not valid"),
    CONSUMER_DURABLE_NAME_NOT_IN_SUBJECT(
            10016, 400, "consumer expected to be durable but no durable name set in subject"),
    CONSUMER_DURABLE_NAME_NOT_MATCH_SUBJECT(
            10017, 400, "consumer name in subject does not match durable name in request"),
    CONSUMER_DURABLE_NAME_NOT_SET(10018, 400, "consumer expected to be durable but a durable name was not set"),
    CONSUMER_EPHEMERAL_WITH_DURABLE_IN_SUBJECT(
            10019, 400, "consumer expected to be ephemeral but detected a durable name set in subject"),
    CONSUMER_EPHEMERAL_WITH_DURABLE_NAME(
            10020, 400, "consumer expected to be ephemeral but a durable name was set in request"),
    STREAM_EXTERNAL_API_OVERLAP(10021, 400, "stream external api prefix {prefix} must not overlap with {subject}"),
    STREAM_EXTERNAL_DEL_PREFIX_OVERLAPS(
            10022, 400, "stream external delivery prefix {prefix} overlaps with stream subject {subject}"),
    INSUFFICIENT_RESOURCES(10023, 503, "insufficient resources"),
    STREAM_INVALID_EXTERNAL_DELIVERY_SUBJ(
            10024, 400, "stream external delivery prefix {prefix} must not contain wildcards"),
    INVALID_JSON(10025, 400, "invalid JSON: {err}"),
    MAXIMUM_CONSUMERS_LIMIT(10026, 400, "maximum consumers limit reached"),
    MAXIMUM_STREAMS_LIMIT(10027, 400, "maximum number of streams reached"),
    MEMORY_RESOURCES_EXCEEDED(10028, 500, "insufficient memory resources available"),
    MIRROR_CONSUMER_SETUP_FAILED(10029, 500, "{err}"),
    MIRROR_MAX_MESSAGE_SIZE_TOO_BIG(10030, 400, "stream mirror must have max message size >= source"),
    MIRROR_WITH_SOURCES(10031, 400, "stream mirrors can not also contain other sources"),
    MIRROR_WITH_START_SEQ_AND_TIME(10032, 400, "stream mirrors can not have both start seq and start time configured"),
    MIRROR_WITH_SUBJECT_FILTERS(10033, 400, "stream mirrors can not contain filtered subjects"),
    MIRROR_WITH_SUBJECTS(10034, 400, "stream mirrors can not contain subjects"),
    NO_ACCOUNT(10035, 503, "account not found"),
    CLUSTER_UNSUPPORT_FEATURE(10036, 503, "not currently supported in clustered mode"),
    NO_MESSAGE_FOUND(10037, 404, "no message found"),
    NOT_EMPTY_REQUEST(10038, 400, "expected an empty request payload"),
    NOT_ENABLED_FOR_ACCOUNT(10039, 503, "JetStream not enabled for account"),
    CLUSTER_PEER_NOT_MEMBER(10040, 400, "peer not a member"),
    RAFT_GENERAL(10041, 500, "{err}"),
    RESTORE_SUBSCRIBE_FAILED(10042, 500, "JetStream unable to subscribe to restore snapshot {subject}: {err}"),
    SEQUENCE_NOT_FOUND(10043, 400, "sequence {seq} not found"),
    CLUSTER_SERVER_NOT_MEMBER(10044, 400, "server is not a member of the cluster"),
    SOURCE_CONSUMER_SETUP_FAILED(10045, 500, "{err}"),
    SOURCE_MAX_MESSAGE_SIZE_TOO_BIG(10046, 400, "stream source must have max message size >= target"),
    STORAGE_RESOURCES_EXCEEDED(10047, 500, "insufficient storage resources available"),
    STREAM_ASSIGNMENT(10048, 500, "{err}"),
    STREAM_CREATE(10049, 500, "{err}"),
    STREAM_DELETE(10050, 500, "{err}"),
    STREAM_GENERAL_ERROR(10051, 500, "{err}"),
    STREAM_INVALID_CONFIG(10052, 500, "{err}"),
    STREAM_LIMITS(10053, 500, "{err}"),
    STREAM_MESSAGE_EXCEEDS_MAXIMUM(10054, 400, "message size exceeds maximum allowed"),
    STREAM_MIRROR_NOT_UPDATABLE(10055, 400, "stream mirror configuration can not be updated"),
    STREAM_MISMATCH(10056, 400, "stream name in subject does not match request"),
    STREAM_MSG_DELETE_FAILED(10057, 500, "{err}"),
    STREAM_NAME_EXIST(10058, 400, "stream name already in use with a different configuration"),
    STREAM_NOT_FOUND(10059, 404, "stream not found"),
    STREAM_NOT_MATCH(10060, 400, "expected stream does not match"),
    STREAM_REPLICAS_NOT_UPDATABLE(10061, 400, "Replicas configuration can not be updated"),
    STREAM_RESTORE(10062, 500, "restore failed: {err}"),
    STREAM_SEQUENCE_NOT_MATCH(10063, 503, "expected stream sequence does not match"),
    STREAM_SNAPSHOT(10064, 500, "snapshot failed: {err}"),
    STREAM_SUBJECT_OVERLAP(10065, 400, "subjects overlap with an existing stream"),
    STREAM_TEMPLATE_CREATE(10066, 500, "{err}"),
    STREAM_TEMPLATE_DELETE(10067, 500, "{err}"),
    STREAM_TEMPLATE_NOT_FOUND(10068, 404, "template not found"),
    STREAM_UPDATE(10069, 500, "{err}"),
    STREAM_WRONG_LAST_MSG_ID(10070, 400, "wrong last msg ID: {id}"),
    STREAM_WRONG_LAST_SEQUENCE(10071, 400, "wrong last sequence: {seq}"),
    TEMP_STORAGE_FAILED(10072, 500, "JetStream unable to open temp storage for restore"),
    TEMPLATE_NAME_NOT_MATCH_SUBJECT(10073, 400, "template name in subject does not match request"),
    STREAM_REPLICAS_NOT_SUPPORTED(10074, 500, "replicas > 1 not supported in non-clustered mode"),
    PEER_REMAP(10075, 503, "peer remap failed"),
    NOT_ENABLED(10076, 503, "JetStream not enabled"),
    STREAM_STORE_FAILED(10077, 503, "{err}"),
    CONSUMER_CONFIG_REQUIRED(10078, 400, "consumer config required"),
    CONSUMER_DELIVER_TO_WILDCARDS(10079, 400, "consumer deliver subject has wildcards"),
    CONSUMER_PUSH_MAX_WAITING(10080, 400, "consumer in push mode can not set max waiting"),
    CONSUMER_DELIVER_CYCLE(10081, 400, "consumer deliver subject forms a cycle"),
    CONSUMER_MAX_PENDING_ACK_POLICY_REQUIRED(10082, 400, "consumer requires ack policy for max ack pending"),
    CONSUMER_SMALL_HEARTBEAT(10083, 400, "consumer idle heartbeat needs to be >= 100ms"),
    CONSUMER_PULL_REQUIRES_ACK(10084, 400, "consumer in pull mode requires explicit ack policy on workqueue stream"),
    CONSUMER_PULL_NOT_DURABLE(10085, 400, "consumer in pull mode requires a durable name"),
    CONSUMER_PULL_WITH_RATE_LIMIT(10086, 400, "consumer in pull mode can not have rate limit set"),
    CONSUMER_MAX_WAITING_NEGATIVE(10087, 400, "consumer max waiting needs to be positive"),
    CONSUMER_HB_REQUIRES_PUSH(10088, 400, "consumer idle heartbeat requires a push based consumer"),
    CONSUMER_FC_REQUIRES_PUSH(10089, 400, "consumer flow control requires a push based consumer"),
    CONSUMER_DIRECT_REQUIRES_PUSH(10090, 400, "consumer direct requires a push based consumer"),
    CONSUMER_DIRECT_REQUIRES_EPHEMERAL(10091, 400, "consumer direct requires an ephemeral consumer"),
    CONSUMER_ON_MAPPED(10092, 400, "consumer direct on a mapped consumer"),
    CONSUMER_FILTER_NOT_SUBSET(10093, 400, "consumer filter subject is not a valid subset of the interest subjects"),
    CONSUMER_INVALID_POLICY(10094, 400, "{err}"),
    CONSUMER_INVALID_SAMPLING(10095, 400, "failed to parse consumer sampling configuration: {err}"),
    STREAM_INVALID(10096, 500, "stream not valid"),
    STREAM_HEADER_EXCEEDS_MAXIMUM(10097, 400, "header size exceeds maximum allowed of 64k"),
    CONSUMER_WQ_REQUIRES_EXPLICIT_ACK(10098, 400, "workqueue stream requires explicit ack"),
    CONSUMER_WQ_MULTIPLE_UNFILTERED(10099, 400, "multiple non-filtered consumers not allowed on workqueue stream"),
    CONSUMER_WQ_CONSUMER_NOT_UNIQUE(10100, 400, "filtered consumer not unique on workqueue stream"),
    CONSUMER_WQ_CONSUMER_NOT_DELIVER_ALL(10101, 400, "consumer must be deliver all on workqueue stream"),
    CONSUMER_NAME_TOO_LONG(10102, 400, "consumer name is too long, maximum allowed is {max}"),
    CONSUMER_BAD_DURABLE_NAME(10103, 400, "durable name can not contain '.', '*', '>'"),
    CONSUMER_STORE_FAILED(10104, 500, "error creating store for consumer: {err}"),
    CONSUMER_EXISTING_ACTIVE(10105, 400, "consumer already exists and is still active"),
    CONSUMER_REPLACEMENT_WITH_DIFFERENT_NAME(10106, 400, "consumer replacement durable config not the same"),
    CONSUMER_DESCRIPTION_TOO_LONG(10107, 400, "consumer description is too long, maximum allowed is {max}"),
    CONSUMER_WITH_FLOW_CONTROL_NEEDS_HEARTBEATS(10108, 400, "consumer with flow control also needs heartbeats"),
    STREAM_SEALED(10109, 400, "invalid operation on sealed stream"),
    STREAM_PURGE_FAILED(10110, 500, "{err}"),
    STREAM_ROLLUP_FAILED(10111, 500, "{err}"),
    CONSUMER_INVALID_DELIVER_SUBJECT(10112, 400, "invalid push consumer deliver subject"),
    STREAM_MAX_BYTES_REQUIRED(10113, 400, "account requires a stream config to have max bytes set"),
    CONSUMER_MAX_REQUEST_BATCH_NEGATIVE(10114, 400, "consumer max request batch needs to be > 0"),
    CONSUMER_MAX_REQUEST_EXPIRES_TOO_SMALL(10115, 400, "consumer max request expires needs to be >= 1ms"),
    CONSUMER_MAX_DELIVER_BACKOFF(10116, 400, "max deliver is required to be > length of backoff values"),
    STREAM_INFO_MAX_SUBJECTS(10117, 500, "subject details would exceed maximum allowed"),
    STREAM_OFFLINE(10118, 500, "stream is offline"),
    CONSUMER_OFFLINE(10119, 500, "consumer is offline"),
    NO_LIMITS(10120, 400, "no JetStream default or applicable tiered limit present"),
    CONSUMER_MAX_PENDING_ACK_EXCESS(10121, 400, "consumer max ack pending exceeds system limit of {limit}"),
    STREAM_MAX_STREAM_BYTES_EXCEEDED(10122, 400, "stream max bytes exceeds account limit max stream bytes"),
    STREAM_MOVE_AND_SCALE(10123, 400, "can not move and scale a stream in a single update"),
    STREAM_MOVE_IN_PROGRESS(10124, 400, "stream move already in progress"),
    CONSUMER_MAX_REQUEST_BATCH_EXCEEDED(10125, 400, "consumer max request batch exceeds server limit of {limit}"),
    CONSUMER_REPLICAS_EXCEEDS_STREAM(10126, 400, "consumer config replica count exceeds parent stream"),
    CONSUMER_NAME_CONTAINS_PATH_SEPARATORS(10127, 400, "Consumer name can not contain path separators"),
    STREAM_NAME_CONTAINS_PATH_SEPARATORS(10128, 400, "Stream name can not contain path separators"),
    STREAM_RECONFIGURE_NOT_IN_PROGRESS(10129, 400, "stream reconfiguration not in progress"),
    STREAM_NAME_EXIST_RESTORE_FAILED(10130, 400, "stream name already in use, cannot restore"),
    CONSUMER_CREATE_FILTER_SUBJECT_MISMATCH(
            10131, 400, "Consumer create request did not match filtered subject from create subject"),
    CONSUMER_CREATE_DURABLE_AND_NAME_MISMATCH(
            10132, 400, "Consumer Durable and Name have to be equal if both are provided"),
    REPLICAS_COUNT_CANNOT_BE_NEGATIVE(10133, 400, "replicas count cannot be negative"),
    CONSUMER_REPLICAS_SHOULD_MATCH_STREAM(
            10134, 400, "consumer config replicas must match interest retention stream's replicas"),
    CONSUMER_METADATA_LENGTH(10135, 400, "consumer metadata exceeds maximum size of {limit}"),
    CONSUMER_DUPLICATE_FILTER_SUBJECTS(
            10136, 400, "consumer cannot have both FilterSubject and FilterSubjects specified"),
    CONSUMER_MULTIPLE_FILTERS_NOT_ALLOWED(
            10137, 400, "consumer with multiple subject filters cannot use subject based API"),
    CONSUMER_OVERLAPPING_SUBJECT_FILTERS(10138, 400, "consumer subject filters cannot overlap"),
    CONSUMER_EMPTY_FILTER(10139, 400, "consumer filter in FilterSubjects cannot be empty"),
    SOURCE_DUPLICATE_DETECTED(10140, 400, "duplicate source configuration detected"),
    SOURCE_INVALID_STREAM_NAME(10141, 400, "sourced stream name is invalid"),
    MIRROR_INVALID_STREAM_NAME(10142, 400, "mirrored stream name is invalid"),
    MIRROR_WITH_FIRST_SEQ(10143, 400, "stream mirrors can not have first sequence configured"),
    SOURCE_MULTIPLE_FILTERS_NOT_ALLOWED(
            10144, 400, "source with multiple subject transforms cannot also have a single subject filter"),
    SOURCE_INVALID_SUBJECT_FILTER(10145, 400, "source transform source: {err}"),
    SOURCE_INVALID_TRANSFORM_DESTINATION(10146, 400, "source transform: {err}"),
    SOURCE_OVERLAPPING_SUBJECT_FILTERS(10147, 400, "source filters can not overlap"),
    CONSUMER_ALREADY_EXISTS(10148, 400, "consumer already exists"),
    CONSUMER_DOES_NOT_EXIST(10149, 400, "consumer does not exist"),
    MIRROR_MULTIPLE_FILTERS_NOT_ALLOWED(
            10150, 400, "mirror with multiple subject transforms cannot also have a single subject filter"),
    MIRROR_INVALID_SUBJECT_FILTER(10151, 400, "mirror transform source: {err}"),
    MIRROR_OVERLAPPING_SUBJECT_FILTERS(10152, 400, "mirror subject filters can not overlap"),
    CONSUMER_INACTIVE_THRESHOLD_EXCESS(10153, 400, "consumer inactive threshold exceeds system limit of {limit}"),
    MIRROR_INVALID_TRANSFORM_DESTINATION(10154, 400, "mirror transform: {err}"),
    STREAM_TRANSFORM_INVALID_SOURCE(10155, 400, "stream transform source: {err}"),
    STREAM_TRANSFORM_INVALID_DESTINATION(10156, 400, "stream transform: {err}"),
    PEDANTIC(10157, 400, "pedantic mode: {err}"),
    STREAM_DUPLICATE_MESSAGE_CONFLICT(10158, 409, "duplicate message id is in process"),
    CONSUMER_PRIORITY_POLICY_WITHOUT_GROUP(
            10159, 400, "Setting PriorityPolicy requires at least one PriorityGroup to be set"),
    CONSUMER_INVALID_PRIORITY_GROUP(10160, 400, "Provided priority group does not exist for this consumer"),
    CONSUMER_EMPTY_GROUP_NAME(10161, 400, "Group name cannot be an empty string"),
    CONSUMER_INVALID_GROUP_NAME(
            10162, 400, "Valid priority group name must match A-Z, a-z, 0-9, -_/=)+ and may not exceed 16 characters"),
    STREAM_EXPECTED_LAST_SEQ_PER_SUBJECT_NOT_READY(
            10163, 503, "expected last sequence per subject temporarily unavailable"),
    STREAM_WRONG_LAST_SEQUENCE_CONSTANT(10164, 400, "wrong last sequence"),
    MESSAGE_TTL_INVALID(10165, 400, "invalid per-message TTL"),
    MESSAGE_TTL_DISABLED(10166, 400, "per-message TTL is disabled"),
    STREAM_TOO_MANY_REQUESTS(10167, 429, "too many requests"),
    MESSAGE_INCR_DISABLED(10168, 400, "message counters is disabled"),
    MESSAGE_INCR_MISSING(10169, 400, "message counter increment is missing"),
    MESSAGE_INCR_PAYLOAD(10170, 400, "message counter has payload"),
    MESSAGE_INCR_INVALID(10171, 400, "message counter increment is invalid"),
    MESSAGE_COUNTER_BROKEN(10172, 400, "message counter is broken"),
    MIRROR_WITH_COUNTERS(10173, 400, "stream mirrors can not also calculate counters"),
    ATOMIC_PUBLISH_DISABLED(10174, 400, "atomic publish is disabled"),
    ATOMIC_PUBLISH_MISSING_SEQ(10175, 400, "atomic publish sequence is missing"),
    ATOMIC_PUBLISH_INCOMPLETE_BATCH(10176, 400, "atomic publish batch is incomplete"),
    ATOMIC_PUBLISH_UNSUPPORTED_HEADER_BATCH(10177, 400, "atomic publish unsupported header used: {header}"),
    CONSUMER_PUSH_WITH_PRIORITY_GROUP(10178, 400, "priority groups can not be used with push consumers"),
    ATOMIC_PUBLISH_INVALID_BATCH_ID(10179, 400, "atomic publish batch ID is invalid"),
    STREAM_MIN_LAST_SEQ(10180, 412, "min last sequence"),
    CONSUMER_ACK_POLICY_INVALID(10181, 400, "consumer ack policy invalid"),
    CONSUMER_REPLAY_POLICY_INVALID(10182, 400, "consumer replay policy invalid"),
    CONSUMER_ACK_WAIT_NEGATIVE(10183, 400, "consumer ack wait needs to be positive"),
    CONSUMER_BACK_OFF_NEGATIVE(10184, 400, "consumer backoff needs to be positive"),
    REQUIRED_API_LEVEL(10185, 412, "JetStream minimum api level required"),
    MIRROR_WITH_MSG_SCHEDULES(10186, 400, "stream mirrors can not also schedule messages"),
    SOURCE_WITH_MSG_SCHEDULES(10187, 400, "stream source can not also schedule messages"),
    MESSAGE_SCHEDULES_DISABLED(10188, 400, "message schedules is disabled"),
    MESSAGE_SCHEDULES_PATTERN_INVALID(10189, 400, "message schedules pattern is invalid"),
    MESSAGE_SCHEDULES_TARGET_INVALID(10190, 400, "message schedules target is invalid"),
    MESSAGE_SCHEDULES_TTL_INVALID(10191, 400, "message schedules invalid per-message TTL"),
    MESSAGE_SCHEDULES_ROLLUP_INVALID(10192, 400, "message schedules invalid rollup"),
    STREAM_EXPECTED_LAST_SEQ_PER_SUBJECT_INVALID(10193, 400, "missing sequence for expected last sequence per subject"),
    STREAM_OFFLINE_REASON(10194, 500, "stream is offline: {err}"),
    CONSUMER_OFFLINE_REASON(10195, 500, "consumer is offline: {err}"),
    CONSUMER_PRIORITY_GROUP_WITH_POLICY_NONE(10196, 400, "consumer can not have priority groups when policy is none"),
    CONSUMER_PINNED_TTL_WITHOUT_PRIORITY_POLICY_NONE(10197, 400, "PinnedTTL cannot be set when PriorityPolicy is none"),
    MIRROR_WITH_ATOMIC_PUBLISH(10198, 400, "stream mirrors can not also use atomic publishing"),
    ATOMIC_PUBLISH_TOO_LARGE_BATCH(10199, 400, "atomic publish batch is too large: {size}"),
    ATOMIC_PUBLISH_INVALID_BATCH_COMMIT(10200, 400, "atomic publish batch commit is invalid"),
    ATOMIC_PUBLISH_CONTAINS_DUPLICATE_MESSAGE(10201, 400, "atomic publish batch contains duplicate message id"),
    CLUSTER_SERVER_MEMBER_CHANGE_INFLIGHT(10202, 400, "cluster member change is in progress"),
    MESSAGE_SCHEDULES_SOURCE_INVALID(10203, 400, "message schedules source is invalid"),
    CONSUMER_INVALID_RESET(10204, 400, "invalid reset: {err}"),
    BATCH_PUBLISH_DISABLED(10205, 400, "batch publish is disabled"),
    BATCH_PUBLISH_INVALID_PATTERN(10206, 400, "batch publish pattern is invalid"),
    BATCH_PUBLISH_INVALID_BATCH_ID(10207, 400, "batch publish ID is invalid"),
    BATCH_PUBLISH_UNKNOWN_BATCH_ID(10208, 400, "batch publish ID unknown"),
    MIRROR_WITH_BATCH_PUBLISH(10209, 400, "stream mirrors can not also use batch publishing"),
    ATOMIC_PUBLISH_TOO_MANY_INFLIGHT(10210, 429, "atomic publish too many inflight"),
    BATCH_PUBLISH_TOO_MANY_INFLIGHT(10211, 429, "batch publish too many inflight"),
    MESSAGE_SCHEDULES_SCHEDULER_INVALID(10212, 400, "message schedules invalid scheduler"),
    MIRROR_DURABLE_CONSUMER_CFG_INVALID(10213, 400, "stream mirror consumer config is invalid"),
    MIRROR_CONSUMER_REQUIRES_ACK_FC(10214, 400, "stream mirror consumer requires flow control ack policy"),
    SOURCE_DURABLE_CONSUMER_CFG_INVALID(10215, 400, "stream source consumer config is invalid"),
    SOURCE_DURABLE_CONSUMER_DUPLICATE_DETECTED(10216, 400, "duplicate stream source consumer detected"),
    SOURCE_CONSUMER_REQUIRES_ACK_FC(10217, 400, "stream source consumer requires flow control ack policy"),
    CONSUMER_ACK_FC_REQUIRES_PUSH(10218, 400, "flow control ack policy requires a push based consumer"),
    CONSUMER_ACK_FC_REQUIRES_FC(10219, 400, "flow control ack policy requires flow control"),
    CONSUMER_ACK_FC_REQUIRES_MAX_ACK_PENDING(10220, 400, "flow control ack policy requires max ack pending"),
    CONSUMER_ACK_FC_REQUIRES_NO_ACK_WAIT(10221, 400, "flow control ack policy requires unset ack wait"),
    CONSUMER_ACK_FC_REQUIRES_NO_MAX_DELIVER(10222, 400, "flow control ack policy requires unset max deliver"),
    MESSAGE_SCHEDULES_TIME_ZONE_INVALID(10223, 400, "message schedules time zone is invalid"),
    CLUSTER_RESCUE(10224, 400, "JetStream system rescue not applied: {err}"),
    CONSUMER_STREAM_IDENTITY_MISMATCH(10225, 400, "consumer's stream identity does not match: {msg}"),
    STREAM_RECONFIGURE_IN_PROGRESS(10226, 400, "stream reconfiguration already in progress"),
    MESSAGE_SOURCE_HDR_NOT_ALLOWED(10227, 400, "message stream source header is not allowed");

    private final int code;
    private final int httpCode;
    private final String template;

    JsError(int code, int httpCode, String template) {
        this.code = code;
        this.httpCode = httpCode;
        this.template = template;
    }

    /** The number clients switch on ({@code err_code}), 10002 to 10227. */
    public int code() {
        return code;
    }

    /** The class of the error: 400, 404, 409, 412, 429, 500 or 503. */
    public int httpCode() {
        return httpCode;
    }

    /** The text with its placeholders. */
    public String template() {
        return template;
    }

    /** This error as it goes over the wire; {@code values} fill the placeholders in their order. */
    public ApiError of(Object... values) {
        return new ApiError(httpCode, code, fill(values));
    }

    /** This error as an exception, for code that checks deep inside. */
    public JsException raise(Object... values) {
        return new JsException(of(values));
    }

    private String fill(Object[] values) {
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (Object value : values) {
            int open = template.indexOf('{', from);
            if (open < 0) {
                break;
            }
            text.append(template, from, open).append(value);
            from = template.indexOf('}', open) + 1;
        }
        return text.append(template, from, template.length()).toString();
    }
}
