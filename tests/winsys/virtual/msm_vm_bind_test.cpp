// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// msm's VM_BIND: contexts that manage their addresses themselves.
#include "tests/winsys/virtual/msm_kernel.h"

using namespace terrazzo::test;

namespace {

constexpr uint64_t kCode = 1ull << 32, kData = kCode + 0x10000;

struct BindKernel : MsmKernel {
    explicit BindKernel(bool gpu) : MsmKernel(gpu) {
        REQUIRE(set_param(kMsmParamEnVmBind, 1) == 0);
        binds = queue(0, kMsmSubmitqueueVmBind);
    }
    drm_msm_vm_bind bind_args(drm_msm_vm_bind_op op) const {
        drm_msm_vm_bind args{};
        args.nr_ops = 1;
        args.fence_fd = -1;
        args.queue_id = binds;
        args.syncobj_stride = sizeof(drm_msm_syncobj);
        args.op_stride = sizeof op;
        args.op = op;
        return args;
    }
    int bind(drm_msm_vm_bind_op op) {
        auto args = bind_args(op);
        return ioctl(kMsmVmBind, &args);
    }
    int map_at(uint32_t bo, uint64_t iova, uint64_t size_B = 4096) {
        return bind({kMsmVmBindOpMap, bo, 0, iova, size_B, 0, 0});
    }
    int unmap_at(uint64_t iova, uint64_t size_B = 4096) {
        return bind({kMsmVmBindOpUnmap, 0, 0, iova, size_B, 0, 0});
    }
    /// Runs the instructions at an address. Returns the sequence number.
    int submit_at(uint64_t iova, uint32_t instrs, uint32_t* fence) {
        const std::vector<drm_msm_gem_submit_cmd> cmds{
            {kMsmSubmitCmdBuf, 0, 0, instrs * static_cast<uint32_t>(sizeof(Instr)), 0, 0, iova}};
        auto args = submit_args(0, {}, cmds);
        const int error = ioctl(kMsmGemSubmit, &args);
        *fence = args.fence;
        return error;
    }
    uint32_t binds = 0;
};

}  // namespace

TEST_CASE("msm: errors of VM_BIND, in the kernel's order") {
    {
        MsmKernel plain(false);
        drm_msm_vm_bind args{};
        args.flags = 4;
        CHECK(plain.ioctl(kMsmVmBind, &args) == -EINVAL);
    }
    BindKernel k(false);
    const uint32_t bo = k.bo(8192);
    drm_msm_submitqueue prio{kMsmSubmitqueueVmBind, 1, 0};
    CHECK(k.ioctl(kMsmSubmitqueueNew, &prio) == -EINVAL);
    CHECK(k.map_at(bo, kCode, 8192) == 0);
    auto args = k.bind_args({kMsmVmBindOpMap, bo, 0, kCode, 4096, 0, 0});
    const auto base = args;
    const auto bind = [&] {
        const int error = k.ioctl(kMsmVmBind, &args);
        args = base;
        return error;
    };
    args.flags = 4;
    args.queue_id = 99;
    CHECK(bind() == -EINVAL);
    args.queue_id = 99;
    CHECK(bind() == -ENOENT);
    args.queue_id = 0;
    CHECK(bind() == -EINVAL);
    args.nr_ops = UINT32_MAX;
    args.flags = kMsmVmBindFenceFdIn;
    CHECK(bind() == -ENOMEM);
    args.flags = kMsmVmBindFenceFdIn;
    CHECK(bind() == -EINVAL);
    args.in_syncobjs = 16;
    args.nr_in_syncobjs = 1;
    CHECK(bind() == -EFAULT);
    args.out_syncobjs = 16;
    args.nr_out_syncobjs = 1;
    CHECK(bind() == -EFAULT);
    args.nr_ops = 2;
    args.ops = 16;
    CHECK(bind() == -EFAULT);
    args.nr_ops = 0;
    CHECK(bind() == 0);

    CHECK(k.bind({kMsmVmBindOpMap, bo, 0, kCode, 4096, kMsmVmBindOpDump, 0}) == 0);
    CHECK(k.bind({kMsmVmBindOpMap, bo, 0, kCode, 4096, 2, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, bo, 0, kCode + 1, 4096, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, bo, 1, kCode, 4096, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, bo, 0, kCode, 4095, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, bo, 0, kCode, 0, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, bo, 0, kCode - 4096, 4096, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, bo, 0, 2 * kCode, 4096, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpUnmap, 0, 0, kCode, UINT64_MAX & ~4095ull, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, 0, 0, kCode, 4096, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpUnmap, bo, 0, kCode, 4096, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMapNull, 0, 0, kCode, 4096, 0, 0}) == -EINVAL);  // not supported with this SMMU
    CHECK(k.bind({3, 0, 0, kCode, 4096, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, 99, 0, kCode, 4096, 0, 0}) == -EINVAL);
    CHECK(k.bind({kMsmVmBindOpMap, bo, 4096, kCode, 8192, 0, 0}) == -EINVAL);
    CHECK(k.unmap_at(kCode, 8192) == 0);
    CHECK(k.unmap_at(kCode, 8192) == 0);  // there is no mapping: no effect
}

TEST_CASE("msm: if the user manages the addresses, the kernel assigns none") {
    BindKernel k(false);
    const uint32_t bo = k.bo(4096);
    CHECK(k.info_error(bo, kMsmInfoGetIova) == -EINVAL);
    CHECK(k.info_error(bo, kMsmInfoSetIova, kCode) == -EINVAL);
    uint32_t fence = 0;
    CHECK(k.submit_at(kCode, 1, &fence) == 0);
    const auto submit = [&](drm_msm_gem_submit_cmd cmd, uint32_t queue) {
        const std::vector<drm_msm_gem_submit_cmd> cmds{cmd};
        auto args = MsmKernel::submit_args(queue, {}, cmds);
        return k.ioctl(kMsmGemSubmit, &args);
    };
    CHECK(submit({1, 0, 0, 64, 0, 0, kCode}, 0) == 0);
    CHECK(submit({1, 1, 0, 64, 0, 0, kCode}, 0) == -EINVAL);
    CHECK(submit({1, 0, 4, 64, 0, 0, kCode}, 0) == -EINVAL);
    CHECK(submit({1, 0, 0, 64, 0, 1, kCode}, 0) == -EINVAL);
    CHECK(submit({1, 0, 0, 64, 0, 0, kCode}, k.binds) == -EINVAL);
}

TEST_CASE("msm: bound code runs, even after its handle is closed") {
    BindKernel k(true);
    const uint32_t code = k.bo(4096), data = k.bo(8192);
    auto* instrs = k.map<Instr>(code, 4096);
    auto* words = k.map<uint64_t>(data, 8192);
    REQUIRE(k.map_at(code, kCode) == 0);
    REQUIRE(k.bind({kMsmVmBindOpMap, data, 4096, kData, 4096, 0, 0}) == 0);
    CHECK(k.close(data) == 0);
    instrs[0] = {Op::Store, kData + 8, 77};
    uint32_t fence = 0;
    REQUIRE(k.submit_at(kCode, 1, &fence) == 0);
    CHECK(k.wait(0, fence) == 0);
    CHECK(words[513] == 77);
    munmap(instrs, 4096);
    munmap(words, 8192);
}

TEST_CASE("msm: after a fault a context that manages its addresses is lost") {
    BindKernel k(true);
    const uint32_t code = k.bo(4096);
    auto* instrs = k.map<Instr>(code, 4096);
    REQUIRE(k.map_at(code, kCode) == 0);
    instrs[0] = {Op::Store, kData, 1};  // there is no memory
    uint32_t fence = 0;
    REQUIRE(k.submit_at(kCode, 1, &fence) == 0);
    CHECK(k.wait(0, fence) == 0);
    CHECK(k.faults(0) == 1);
    CHECK(k.submit_at(kCode, 1, &fence) == -EPIPE);
    CHECK(k.map_at(code, kCode) == -EPIPE);
    munmap(instrs, 4096);
}

TEST_CASE("msm: binds wait, and submits wait for binds") {
    BindKernel k(true);
    const uint32_t code = k.bo(4096), data = k.bo(4096), done = k.syncobj();
    auto* instrs = k.map<Instr>(code, 4096);
    auto* words = k.map<uint64_t>(data, 4096);
    REQUIRE(k.map_at(code, kCode) == 0);
    REQUIRE(k.map_at(data, kData) == 0);
    instrs[0] = {Op::WaitGe, kData, 1};
    instrs[1] = {Op::Store, kData + 0x1000 + 8, 5};
    const std::vector<drm_msm_gem_submit_cmd> cmds{{kMsmSubmitCmdBuf, 0, 0, sizeof(Instr), 0, 0, kCode}};
    auto first = MsmKernel::submit_args(0, {}, cmds);
    first.flags |= kMsmSubmitFenceFdOut;
    REQUIRE(k.ioctl(kMsmGemSubmit, &first) == 0);

    // Two binds, the second overwrites the first. They wait for the submit.
    const drm_msm_vm_bind_op ops[2] = {{kMsmVmBindOpMap, code, 0, kData + 0x1000, 4096, 0, 0},
                                       {kMsmVmBindOpMap, data, 0, kData + 0x1000, 4096, 0, 0}};
    const drm_msm_syncobj out{done, 0, 0};
    auto args = k.bind_args({});
    args.flags = kMsmVmBindFenceFdIn | kMsmVmBindFenceFdOut;
    args.fence_fd = first.fence_fd;
    args.nr_ops = 2;
    args.ops = address_of(ops);
    args.out_syncobjs = address_of(&out);
    args.nr_out_syncobjs = 1;
    REQUIRE(k.ioctl(kMsmVmBind, &args) == 0);
    CHECK(k.status(args.fence_fd) == 0);
    CHECK(k.prep(data, kMsmPrepRead | kMsmPrepNosync) == -EBUSY);
    // A submit that waits for the bind.
    const std::vector<drm_msm_gem_submit_cmd> rest{
        {kMsmSubmitCmdBuf, 0, 0, sizeof(Instr), 0, 0, kCode + sizeof(Instr)}};
    auto second = MsmKernel::submit_args(0, {}, rest);
    second.flags |= kMsmSubmitSyncobjIn;
    second.in_syncobjs = address_of(&out);
    second.nr_in_syncobjs = 1;
    REQUIRE(k.ioctl(kMsmGemSubmit, &second) == 0);
    uint32_t id = k.binds;  // the queue's binds are still executed
    CHECK(k.ioctl(kMsmSubmitqueueClose, &id) == 0);
    __atomic_store_n(&words[0], 1, __ATOMIC_RELEASE);
    CHECK(k.wait(0, second.fence) == 0);
    CHECK(words[1] == 5);
    CHECK(k.status(args.fence_fd) == 1);
    close(args.fence_fd);
    close(first.fence_fd);
    munmap(instrs, 4096);
    munmap(words, 4096);
}
