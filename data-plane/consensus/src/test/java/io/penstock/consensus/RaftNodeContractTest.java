package io.penstock.consensus;

class RaftNodeContractTest extends RaftGroupContract {
    private volatile String cut = "";

    @Override
    LogRig open() {
        return new RaftRig(links -> new LossyLinks(links, (from, to, payload) -> from.equals(cut) || to.equals(cut)));
    }

    @Override
    String openFourth() {
        return ((RaftRig) rig).startFourth();
    }

    @Override
    void cutOff(String node) {
        cut = node;
    }

    @Override
    void heal() {
        cut = "";
    }

    @Override
    void wipe(String node) {
        ((RaftRig) rig).wipe(node);
    }
}
