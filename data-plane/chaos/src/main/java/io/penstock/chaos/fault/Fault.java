package io.penstock.chaos.fault;

import java.io.IOException;

/** A way to break things, by the numbers of the test plan. Each says how often it struck, and proves it. */
public enum Fault {
    /** SIGKILL of one node, started again after 1 to 10 s. */
    F1,
    /** SIGKILL of all nodes within 200 ms. */
    F2,
    /** SIGSTOP of a node, half of the time the leader, for 0.2 to 15 s. */
    F3,
    /** One node cut off from everybody for 5 to 25 s. */
    F4,
    /** Packets dropped one way, or between two nodes that both still reach the third. */
    F5,
    /** Power lost on one node while the others stand still for a moment. */
    F8,
    /** Power lost on all nodes at once. */
    F9,
    /** Damaged files in the store of one node while it is down. */
    F10,
    /** Wall clocks set wrong by up to an hour, on one node or on all. */
    F13,
    /** Leaders asked to step down, replicas taken out, streams scaled down and up. */
    F14;

    /**
     * Breaks and mends until the scene is over. The cluster may be left broken; whoever called heals it.
     *
     * @return how often it struck; every strike has proved itself
     * @throws IllegalStateException when a strike had no effect
     */
    public int strike(Scene scene) throws IOException, InterruptedException {
        Action action = switch (this) {
            case F1 -> new KillOne();
            case F2 -> new KillAll();
            case F3 -> new Freeze();
            case F4 -> new CutOff();
            case F5 -> new OneWay();
            case F8 -> new PowerLoss(false);
            case F9 -> new PowerLoss(true);
            case F10 -> new Damage();
            case F13 -> new WrongClock();
            case F14 -> new Membership();
        };
        return action.strike(scene);
    }

    /** What a fault does. */
    interface Action {
        int strike(Scene scene) throws IOException, InterruptedException;
    }
}
