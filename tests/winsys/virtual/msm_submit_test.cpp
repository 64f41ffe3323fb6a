// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// msm's submits: their errors in the kernel's order, and how they run, wait and fail.
#include "tests/winsys/virtual/msm_kernel.h"

using namespace terrazzo::test;

namespace {

/// An object with instructions, and an object that they write to.
struct Program {
    explicit Program(MsmKernel& kernel) : k(kernel), code_bo(k.bo(4096)), data_bo(k.bo(4096)) {
        code = k.map<Instr>(code_bo, 4096);
        data = k.map<uint64_t>(data_bo, 4096);
        data_va = k.iova(data_bo);
    }
    ~Program() {
        munmap(code, 4096);
        munmap(data, 4096);
    }
    uint32_t run(std::vector<Instr> instrs, uint32_t queue = 0) {
        for (size_t i = 0; i < instrs.size(); i++)
            code[i] = instrs[i];
        return k.submit(queue, code_bo, static_cast<uint32_t>(instrs.size()),
                        {{kMsmSubmitBoWrite, data_bo, 0}});
    }
    /// Blocks the GPU until data[n] is 1.
    [[nodiscard]] Instr gate(uint64_t n) const { return {Op::WaitGe, data_va + n * 8, 1}; }
    void open_gate(uint64_t n) const { __atomic_store_n(&data[n], 1, __ATOMIC_RELEASE); }

    MsmKernel& k;
    const uint32_t code_bo, data_bo;
    Instr* code;
    uint64_t* data;
    uint64_t data_va;
};

}  // namespace

TEST_CASE("msm: errors of GEM_SUBMIT, in the kernel's order") {
    MsmKernel k(false);
    const uint32_t bo = k.bo(4096);
    drm_msm_gem_submit_bo object{kMsmSubmitBoRead, bo, 0};
    drm_msm_gem_submit_cmd cmd{kMsmSubmitCmdBuf, 0, 0, 64, 0, 0, 0};
    const auto base = [&] {
        auto args = MsmKernel::submit_args(0, {}, {});
        args.nr_bos = args.nr_cmds = 1;
        args.bos = address_of(&object);
        args.cmds = address_of(&cmd);
        return args;
    };
    auto args = base();
    const auto submit = [&] {
        const int error = k.ioctl(kMsmGemSubmit, &args);
        args = base();
        return error;
    };
    CHECK(submit() == 0);
    args.pad = 1;
    CHECK(submit() == -EINVAL);
    args.flags = 1;
    args.queueid = 9;
    CHECK(submit() == -EINVAL);
    args.flags |= 0x01000000;
    args.queueid = 9;
    CHECK(submit() == -EINVAL);
    args.flags |= kMsmSubmitSudo;
    args.queueid = 9;
    CHECK(submit() == -EINVAL);
    args.queueid = 9;
    args.nr_bos = UINT32_MAX;
    CHECK(submit() == -ENOENT);
    args.nr_bos = UINT32_MAX;
    args.flags |= kMsmSubmitFenceFdIn;
    CHECK(submit() == -ENOMEM);
    args.nr_cmds = 1 << 20;
    CHECK(submit() == -ENOMEM);
    args.flags |= kMsmSubmitFenceFdIn;
    args.bos = 16;
    CHECK(submit() == -EINVAL);
    args.bos = 16;
    CHECK(submit() == -EFAULT);
    for (const uint32_t flags : {0u, 4u, 16u | kMsmSubmitBoRead}) {
        object = {flags, 99, 0};
        args.cmds = 16;
        CHECK(submit() == -EINVAL);
    }
    object = {kMsmSubmitBoRead, 99, 0};
    args.cmds = 16;
    CHECK(submit() == -EINVAL);
    object = {kMsmSubmitBoRead, bo, 0};
    args.cmds = 16;
    CHECK(submit() == -EFAULT);
    const drm_msm_gem_submit_cmd good = cmd;
    const auto bad = [&](drm_msm_gem_submit_cmd one) {
        cmd = one;
        const int error = submit();
        cmd = good;
        return error;
    };
    CHECK(bad({0, 0, 0, 64, 0, 0, 0}) == -EINVAL);
    CHECK(bad({4, 0, 0, 64, 0, 0, 0}) == -EINVAL);
    CHECK(bad({1, 0, 0, 63, 0, 0, 0}) == -EINVAL);
    CHECK(bad({1, 0, 0, 64, 0, UINT32_MAX, 0}) == -ENOMEM);
    CHECK(bad({1, 0, 0, 64, 0, 1, 16}) == -EFAULT);
    CHECK(bad({1, 1, 0, 64, 0, 0, 0}) == -EINVAL);
    CHECK(bad({1, 0, 0, 0, 0, 0, 0}) == -EINVAL);
    CHECK(bad({1, 0, 4, 4096, 0, 0, 0}) == -EINVAL);
    CHECK(bad({1, 0, UINT32_MAX, 4096, 0, 0, 0}) == -EINVAL);
    CHECK(bad({1, 0, 4092, 4, 0, 0, 0}) == 0);
    CHECK(bad({1, 0, 0, 4096, 0, 0, 0}) == 0);
    const drm_msm_gem_submit_reloc reloc{};
    CHECK(bad({1, 0, 0, 64, 0, 1, address_of(&reloc)}) == -EINVAL);  // not on A6xx
    const drm_msm_gem_submit_bo twice[2] = {object, object};
    args.bos = address_of(twice);
    args.nr_bos = 2;
    CHECK(submit() == -EALREADY);
    object.handle = k.bo(4096, kMsmBoWc | kMsmBoNoShare);
    CHECK(submit() == -EALREADY);
    args.nr_bos = args.nr_cmds = 0;
    CHECK(submit() == 0);
}

TEST_CASE("msm: sequence numbers of submits") {
    MsmKernel k(false);
    const uint32_t queue = k.queue();
    auto args = MsmKernel::submit_args(queue, {}, {});
    for (uint32_t i = 1; i < 5; i++) {
        REQUIRE(k.ioctl(kMsmGemSubmit, &args) == 0);
        CHECK(args.fence == i);
        CHECK(k.wait(queue, i, 0) == 0);
    }
    CHECK(k.wait(queue, 5) == -EINVAL);  // it does not exist yet
    CHECK(k.wait(queue, 0) == 0);
    CHECK(k.wait(99, 1) == -ENOENT);
    drm_msm_wait_fence bad{1, 2, {}, 99};
    CHECK(k.ioctl(kMsmWaitFence, &bad) == -EINVAL);
    args.flags |= kMsmSubmitFenceSnIn;
    args.fence = 0;
    CHECK(k.ioctl(kMsmGemSubmit, &args) == -EINVAL);
    args.fence = 1000;
    CHECK(k.ioctl(kMsmGemSubmit, &args) == 0);
    CHECK(k.wait(queue, 1000) == 0);
    args.fence = 1000;  // the submit has ended: its number is free
    CHECK(k.ioctl(kMsmGemSubmit, &args) == 0);
    args.flags = kMsmPipe3d0;
    CHECK(k.ioctl(kMsmGemSubmit, &args) == 0);
    CHECK(args.fence == 5);
}

TEST_CASE("msm: submits run") {
    MsmKernel k(true);
    Program p(k);
    const uint32_t fence = p.run({{Op::Store, p.data_va + 8, 42}, {Op::Store, p.data_va + 16, 43}});
    CHECK(k.wait(0, fence) == 0);
    CHECK(p.data[1] == 42);
    CHECK(p.data[2] == 43);
    CHECK(k.reports.empty());
}

TEST_CASE(
    "msm: buffers of other objects are not called, buffers that restore state run after another context") {
    MsmKernel k(true);
    Program p(k);
    p.code[0] = {Op::Log, 1, 0};
    p.code[1] = {Op::Log, 2, 0};
    p.code[2] = {Op::Log, 3, 0};
    std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead, p.code_bo, 0}};
    std::vector<drm_msm_gem_submit_cmd> cmds{k.command(0, 1, kMsmSubmitCmdCtxRestoreBuf),
                                             k.command(0, 1, kMsmSubmitCmdIbTargetBuf),
                                             k.command(0, 1, kMsmSubmitCmdBuf)};
    for (uint32_t i = 0; i < 3; i++)
        cmds[i].submit_offset = i * static_cast<uint32_t>(sizeof(Instr));
    const auto run = [&] {
        auto args = MsmKernel::submit_args(0, bos, cmds);
        REQUIRE(k.ioctl(kMsmGemSubmit, &args) == 0);
        CHECK(k.wait(0, args.fence) == 0);
    };
    run();
    run();
    // 1001: the GPU is informed, too.
    CHECK(k.log.get() == std::vector<uint64_t>{1001, 1, 3, 3});
    auto file = k.open();
    std::swap(k.file, file);
    auto args = MsmKernel::submit_args(0, {}, {});
    REQUIRE(k.ioctl(kMsmGemSubmit, &args) == 0);
    CHECK(k.wait(0, args.fence) == 0);
    std::swap(k.file, file);
    run();
    CHECK(k.log.get() == std::vector<uint64_t>{1001, 1, 3, 3, 1001, 1001, 1, 3});
}

TEST_CASE("msm: WAIT_FENCE and CPU_PREP wait") {
    MsmKernel k(true);
    Program p(k);
    const uint32_t fence = p.run({p.gate(0), {Op::Store, p.data_va + 8, 9}});
    CHECK(k.wait(0, fence, 0) == -ETIMEDOUT);
    CHECK(k.wait(0, fence, 5) == -ETIMEDOUT);
    CHECK(k.prep(p.data_bo, kMsmPrepRead | kMsmPrepNosync) == -EBUSY);
    CHECK(k.prep(p.data_bo, kMsmPrepRead, 0) == -EBUSY);  // with NOWAIT it may not wait
    CHECK(k.prep(p.data_bo, kMsmPrepRead, 5) == -ETIMEDOUT);
    CHECK(k.prep(p.code_bo, kMsmPrepRead | kMsmPrepNosync) == 0);  // the GPU only reads it
    CHECK(k.prep(p.code_bo, kMsmPrepWrite | kMsmPrepNosync) == -EBUSY);
    auto args = MsmKernel::submit_args(0, {}, {});
    args.flags |= kMsmSubmitFenceSnIn;
    args.fence = fence;
    CHECK(k.ioctl(kMsmGemSubmit, &args) == -EINVAL);  // its number is in use
    p.open_gate(0);
    CHECK(k.prep(p.data_bo, kMsmPrepRead) == 0);
    CHECK(p.data[1] == 9);
    CHECK(k.wait(0, fence, 0) == 0);
}

TEST_CASE("msm: fences as descriptors and syncobjs") {
    MsmKernel k(true);
    Program p(k);
    const uint32_t done = k.syncobj(), timeline = k.syncobj(), in = k.syncobj(kSyncobjCreateSignaled);
    p.code[0] = p.gate(0);
    const drm_msm_syncobj ins[] = {{in, kMsmSyncobjReset, 0}}, outs[] = {{done, 0, 0}, {timeline, 0, 7}};
    const std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead, p.code_bo, 0},
                                                 {kMsmSubmitBoWrite, p.data_bo, 0}};
    const std::vector<drm_msm_gem_submit_cmd> cmds{k.command(0, 1)};
    auto args = MsmKernel::submit_args(0, bos, cmds);
    args.flags |= kMsmSubmitFenceFdOut | kMsmSubmitSyncobjIn | kMsmSubmitSyncobjOut;
    args.in_syncobjs = address_of(ins);
    args.nr_in_syncobjs = 1;
    args.out_syncobjs = address_of(outs);
    args.nr_out_syncobjs = 2;
    REQUIRE(k.ioctl(kMsmGemSubmit, &args) == 0);
    const int fd = args.fence_fd;
    CHECK(k.status(fd) == 0);
    // The syncobj that it waited for was reset.
    CHECK(k.ioctl(kMsmGemSubmit, &args) == -EINVAL);

    // A second submit on another queue, which waits for the first.
    auto second = MsmKernel::submit_args(k.queue(0), {}, {});
    second.flags |= kMsmSubmitFenceFdIn;
    second.fence_fd = fd;
    REQUIRE(k.ioctl(kMsmGemSubmit, &second) == 0);
    CHECK(k.wait(second.queueid, second.fence, 5) == -ETIMEDOUT);
    p.open_gate(0);
    CHECK(k.wait(second.queueid, second.fence) == 0);
    CHECK(k.status(fd) == 1);
    close(fd);
    drm_syncobj_timeline_array query{};
    uint64_t point = 0;
    query.handles = address_of(&timeline);
    query.points = address_of(&point);
    query.count_handles = 1;
    REQUIRE(k.ioctl(kIoctlSyncobjQuery, &query) == 0);
    CHECK(point == 7);
}

TEST_CASE("msm: errors of syncobjs") {
    MsmKernel k(false);
    const uint32_t empty = k.syncobj(), full = k.syncobj(kSyncobjCreateSignaled);
    const auto submit = [&](bool in, uint64_t address, uint32_t count, uint32_t stride_B) {
        auto args = MsmKernel::submit_args(0, {}, {});
        args.flags |= in ? kMsmSubmitSyncobjIn : kMsmSubmitSyncobjOut;
        (in ? args.in_syncobjs : args.out_syncobjs) = address;
        (in ? args.nr_in_syncobjs : args.nr_out_syncobjs) = count;
        args.syncobj_stride = stride_B;
        return k.ioctl(kMsmGemSubmit, &args);
    };
    const auto one = [&](bool in, drm_msm_syncobj s) { return submit(in, address_of(&s), 1, sizeof s); };
    CHECK(one(true, {full, 0, 0}) == 0);
    CHECK(one(true, {full, 2, 0}) == -EINVAL);
    CHECK(one(true, {99, 0, 0}) == -ENOENT);
    CHECK(one(true, {empty, 0, 0}) == -EINVAL);
    CHECK(one(true, {full, 0, 5}) == -EINVAL);  // no such point
    CHECK(one(false, {empty, 1, 0}) == -EINVAL);
    CHECK(one(false, {99, 0, 0}) == -EINVAL);
    CHECK(one(false, {empty, 0, 0}) == 0);
    CHECK(one(true, {empty, 0, 0}) == 0);
    CHECK(submit(true, 16, 1, 16) == -EFAULT);
    CHECK(submit(false, 16, 1, 16) == -EFAULT);
    CHECK(submit(true, 16, UINT32_MAX, 16) == -ENOMEM);
    CHECK(submit(false, 16, UINT32_MAX, 16) == -ENOMEM);
    CHECK(submit(true, address_of(&full), 1, 4) == 0);  // a short struct: the other fields are 0
}

TEST_CASE("msm: submits that share an object wait for each other") {
    MsmKernel k(true);
    Program first(k);
    const uint32_t high = k.queue(0), low = k.queue(2);
    const uint32_t a = first.run({first.gate(0)}, low);
    auto* next = first.code + 8;
    *next = {Op::Log, 5, 0};
    const auto submit = [&](uint32_t bo_flags, uint32_t flags) {
        const std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead, first.code_bo, 0},
                                                     {bo_flags, first.data_bo, 0}};
        auto cmd = k.command(0, 1);
        cmd.submit_offset = 8 * sizeof(Instr);
        auto args = MsmKernel::submit_args(high, bos, {cmd});
        const std::vector<drm_msm_gem_submit_cmd> cmds{cmd};
        args.cmds = address_of(cmds.data());
        args.flags |= flags;
        REQUIRE(k.ioctl(kMsmGemSubmit, &args) == 0);
        return args.fence;
    };
    CHECK(k.wait(high, submit(kMsmSubmitBoRead | kMsmSubmitBoNoImplicit, 0)) == 0);
    CHECK(k.wait(high, submit(kMsmSubmitBoRead, kMsmSubmitNoImplicit)) == 0);
    const uint32_t waits = submit(kMsmSubmitBoRead, 0);
    CHECK(k.wait(high, waits, 10) == -ETIMEDOUT);
    first.open_gate(0);
    CHECK(k.wait(high, waits) == 0);
    CHECK(k.wait(low, a, 0) == 0);
}

TEST_CASE("msm: a fault fails its submit and is counted, others run") {
    MsmKernel k(true);
    Program p(k);
    const uint32_t queue = k.queue();
    uint32_t faults = 0;
    for (const Instr bad : {Instr{Op::Fault, 0, 0}, Instr{Op::Fatal, 0, 0}, Instr{Op::Store, 0x123000, 1}}) {
        p.data[1] = 0;
        p.code[0] = bad;
        const std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead, p.code_bo, 0},
                                                     {kMsmSubmitBoWrite, p.data_bo, 0}};
        const std::vector<drm_msm_gem_submit_cmd> cmds{k.command(0, 1)};
        auto args = MsmKernel::submit_args(queue, bos, cmds);
        args.flags |= kMsmSubmitFenceFdOut;
        REQUIRE(k.ioctl(kMsmGemSubmit, &args) == 0);
        CHECK(k.wait(queue, args.fence) == 0);  // it has ended
        CHECK(k.status(args.fence_fd) < 0);
        close(args.fence_fd);
        CHECK(k.faults(queue) == ++faults);
        CHECK(k.get_param(kMsmParamFaults) == faults);
        CHECK(k.wait(queue, p.run({{Op::Store, p.data_va + 8, 1}}, queue)) == 0);
        CHECK(p.data[1] == 1);
    }
    CHECK(k.faults(0) == 0);
    REQUIRE(k.reports.size() == 3);
    CHECK(k.reports[0] ==
          "terrazzo: msm: context 1 priority 1: fault, exception 0x06 (shader fault): asked for");
}

TEST_CASE("msm: read-only objects of the GPU") {
    MsmKernel k(true);
    const uint32_t code = k.bo(4096, kMsmBoWc | kMsmBoGpuReadonly);
    auto* instrs = k.map<Instr>(code, 4096);
    instrs[0] = {Op::Store, k.iova(code) + 64, 1};
    CHECK(k.wait(0, k.submit(0, code, 1)) == 0);
    CHECK(k.faults(0) == 1);
    munmap(instrs, 4096);
}

TEST_CASE("msm: a submit that does not end is killed") {
    terrazzo::winsys::virt::SchedulerOptions options;
    options.run_timeout_ns = 20'000'000;
    MsmKernel k(true, options);
    Program p(k);
    const uint32_t fence = p.run({{Op::Spin, 0, 0}});
    CHECK(k.wait(0, fence) == 0);
    CHECK(k.faults(0) == 1);
    CHECK(k.wait(0, p.run({{Op::Store, p.data_va + 8, 3}})) == 0);
    CHECK(p.data[1] == 3);
}

TEST_CASE(
    "msm: a submit whose draws are each within the limit is not killed, as msm checks again if there is"
    "progress") {
    terrazzo::winsys::virt::SchedulerOptions options;
    options.run_timeout_ns = 60'000'000;
    MsmKernel k(true, options);
    Program p(k);
    const Instr work{Op::Work, 40, 0};
    CHECK(k.wait(0, p.run({work, work, work, {Op::Store, p.data_va + 8, 3}})) == 0);
    CHECK(p.data[1] == 3);
    CHECK(k.faults(0) == 0);
    CHECK(k.wait(0, p.run({work, work, work, work, work, work, work, {Op::Store, p.data_va + 8, 4}})) == 0);
    CHECK(p.data[1] == 3);
    CHECK(k.faults(0) == 1);
}

TEST_CASE("msm: closing an object waits for the GPU") {
    MsmKernel k(true);
    Program p(k);
    (void)p.run({{Op::Sleep, 30, 0}, {Op::Store, p.data_va + 8, 5}});
    const uint64_t va = p.data_va;
    CHECK(k.close(p.data_bo) == 0);
    CHECK(p.data[1] == 5);
    const uint32_t next = k.bo(4096);
    CHECK(k.iova(next) == va);
}

TEST_CASE("msm: closing a file cancels waiting submits") {
    MsmKernel k(true);
    int fd;
    {
        Program p(k);
        p.code[0] = p.gate(0);
        const std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead, p.code_bo, 0},
                                                     {kMsmSubmitBoWrite, p.data_bo, 0}};
        const std::vector<drm_msm_gem_submit_cmd> cmds{k.command(0, 1)};
        auto args = MsmKernel::submit_args(0, bos, cmds);
        args.flags |= kMsmSubmitFenceFdOut;
        REQUIRE(k.ioctl(kMsmGemSubmit, &args) == 0);
        fd = args.fence_fd;
    }
    k.file = nullptr;
    for (int i = 0; i < 1000 && k.status(fd) == 0; i++)
        usleep(1000);
    CHECK(k.status(fd) == -ECANCELED);
    close(fd);
}

TEST_CASE("msm: the kernel patches addresses for GPUs before A6xx") {
    MsmKernel k(false, {}, true);
    const uint32_t code = k.bo(4096), data = k.bo(4096);
    auto* words = k.map<uint32_t>(code, 4096);
    const uint64_t va = k.iova(data);
    const std::vector<drm_msm_gem_submit_bo> bos{{kMsmSubmitBoRead, code, 0}, {kMsmSubmitBoRead, data, 0}};
    const auto submit = [&](std::vector<drm_msm_gem_submit_reloc> relocs) {
        auto cmd = k.command(0, 1);
        cmd.nr_relocs = static_cast<uint32_t>(relocs.size());
        cmd.relocs_or_iova = address_of(relocs.data());
        const std::vector<drm_msm_gem_submit_cmd> cmds{cmd};
        auto args = MsmKernel::submit_args(0, bos, cmds);
        return k.ioctl(kMsmGemSubmit, &args);
    };
    CHECK(submit({{4, 3, 0, 1, 0x40}, {8, 0, -32, 1, 0}, {12, 0, 4, 1, 0}}) == 0);
    CHECK(words[1] == (static_cast<uint32_t>(va + 0x40) | 3));
    CHECK(words[2] == va >> 32);
    CHECK(words[3] == static_cast<uint32_t>(va << 4));
    CHECK(submit({{2, 0, 0, 1, 0}}) == -EINVAL);     // not aligned to a word
    CHECK(submit({{4096, 0, 0, 1, 0}}) == -EINVAL);  // outside the object
    CHECK(submit({{8, 0, 0, 1, 0}, {4, 0, 0, 1, 0}}) == -EINVAL);
    CHECK(submit({{4, 0, 0, 2, 0}}) == -EINVAL);  // no such object
    munmap(words, 4096);
}
