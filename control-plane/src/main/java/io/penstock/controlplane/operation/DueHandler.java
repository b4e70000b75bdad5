package io.penstock.controlplane.operation;

/** Does what falls due by itself, of one kind. Must bear being run again. */
public interface DueHandler {
    String kind();

    /** Runs outside of a transaction; a failure is tried again later. */
    void run(DueTasks.Task task);
}
