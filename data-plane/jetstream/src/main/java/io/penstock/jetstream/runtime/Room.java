package io.penstock.jetstream.runtime;

/** Whether a node has room for more messages in its files. Any thread. */
public interface Room {
    /** There is always enough: tests, logs in memory. */
    Room ENOUGH = new Room() {
        @Override
        public boolean full() {
            return false;
        }

        @Override
        public boolean behind() {
            return false;
        }
    };

    /** Whether so little of the disk is free that nothing more is stored until there is more. */
    boolean full();

    /** Whether checkpoints lag so far behind the journal that publishers have to wait for them. */
    boolean behind();
}
