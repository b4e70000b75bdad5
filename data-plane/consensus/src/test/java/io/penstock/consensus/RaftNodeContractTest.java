package io.penstock.consensus;

class RaftNodeContractTest extends RaftGroupContract {
    @Override
    LogRig open() {
        return new RaftRig();
    }

    @Override
    String openFourth() {
        return ((RaftRig) rig).startFourth();
    }

    @Override
    void wipe(String node) {
        ((RaftRig) rig).wipe(node);
    }
}
