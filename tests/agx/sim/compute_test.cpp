// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <random>

#include "tests/agx/sim/gpu_fixture.h"

namespace terrazzo::tests::agx {
namespace {

// A launch of a program that has the address of `out` in u0_u1.
struct Dispatch {
    explicit Dispatch(unsigned threads = 2) {
        host::GroupOptions options;
        options.queues = virt::kWorkQueues;
        options.threads = threads;
        group = terrazzo::agx::sim::create_group(memory, options);
        out = memory.allocate(1 << 16);
    }
    uint64_t program(std::string_view text, uint32_t local_B = 0) {
        const uint32_t address[2] = {uint32_t(out), 0};
        hw::UscUniform u;
        u.size = 4;
        u.buffer = memory.put(address, sizeof address);
        hw::UscShader shader;
        shader.code = memory.code(text);
        hw::UscRegisters registers;
        registers.count = 32;
        Words words;
        words.add(u);
        if (local_B) {
            hw::UscShared shared;
            shared.uses_shared_memory = true;
            shared.size = local_B;
            words.add(shared);
        }
        return words.add(shader).add(registers).add(hw::UscNoPreshader()).put(memory);
    }
    Dispatch& launch(uint64_t usc, hw::CdmSize grid, hw::CdmSize workgroup) {
        hw::CdmLaunch l;
        l.pipeline.address = usc;
        stream.add(l).add(grid).add(workgroup);
        return *this;
    }
    std::string run() {
        stream.add(hw::CdmStreamTerminate());
        virt::ComputeCommand command{};
        command.cdm_ctrl_stream_base = stream.put(memory);
        command.cdm_ctrl_stream_end = command.cdm_ctrl_stream_base + stream.size_B();
        return submit(command);
    }
    std::string submit(const virt::ComputeCommand& command) {
        host::Submit s;
        s.streams.push_back({memory.put(&command, sizeof command), sizeof command});
        s.number = ++number;
        stream = {};
        const host::RunResult r = group->run(uint32_t(virt::WorkQueue::Compute), s);
        return r.status == host::RunStatus::Done ? "" : r.report;
    }
    uint32_t word(unsigned n) {
        uint32_t v;
        std::memcpy(&v, memory.at(out + 4 * n), 4);
        return v;
    }

    GpuMemory memory;
    std::unique_ptr<host::Group> group;
    Words stream;
    uint64_t out = 0, number = 0;
};

TEST_CASE("agx compute: threads know their places, also in workgroups at the edge") {
    for (const unsigned threads : {1u, 4u}) {
        Dispatch d(threads);
        const uint64_t usc = d.program(
            "get_sr r2, thread_position_in_grid.x\n"
            "get_sr r3, threadgroup_position_in_grid.x\n"
            "get_sr r4, threads_per_threadgroup.x\n"
            "mov_imm32 r6, 0x3e8\n"
            "imadd r5, r3, r6, r4\n"
            "device_store.i32.x r5, u0_u1, r2\n"
            "wait 0\nstop\n");
        REQUIRE(d.launch(usc, {100, 1, 1}, {40, 1, 1}).run() == "");
        for (unsigned n = 0; n < 100; ++n)
            CHECK(d.word(n) == n / 40 * 1000 + (n < 80 ? 40 : 20));
        CHECK(d.word(100) == 0);
    }
}

TEST_CASE("agx compute: workgroups share memory between barriers") {
    Dispatch d;
    // Each thread stores the number of its neighbour on the other side.
    const uint64_t usc = d.program(
        "get_sr r2, thread_index_in_threadgroup\n"
        "bfi r3l, 0, r2, 2\n"
        "threadgroup_store.i32.x r2, r3l, 0\n"
        "threadgroup_barrier\n"
        "mov_imm32 r4, 0x3f\n"
        "isub r4, r4, r2\n"
        "bfi r5l, 0, r4, 2\n"
        "threadgroup_load.i32.x r6, r5l, 0\n"
        "get_sr r7, thread_position_in_grid.x\n"
        "device_store.i32.x r6, u0_u1, r7\n"
        "wait 0\nstop\n",
        256);
    REQUIRE(d.launch(usc, {256, 1, 1}, {64, 1, 1}).run() == "");
    for (unsigned n = 0; n < 256; ++n)
        CHECK(d.word(n) == 63 - n % 64);
}

TEST_CASE("agx compute: indirect sizes, links and returns") {
    Dispatch d;
    const uint64_t usc =
        d.program("mov_imm32 r2, 0x1\nmov_imm32 r3, 0x0\natomic.add _, u0_u1, 0, r2\nwait 0\nstop\n");
    const uint32_t sizes[6] = {7, 3, 2, 4, 4, 1};
    const uint64_t sizes_va = d.memory.put(sizes, sizeof sizes);
    hw::CdmLaunch l;
    l.pipeline.address = usc;
    l.mode = hw::CdmMode::IndirectLocal;
    hw::CdmIndirect where;
    where.address_low = uint32_t(sizes_va);
    Words called;
    hw::CdmStreamReturn back;
    const uint64_t called_va = called.add(l).add(where).add(back).put(d.memory);
    hw::CdmStreamLink link;
    link.target_low = uint32_t(called_va);
    link.with_return = true;
    d.stream.add(link).add(link);
    REQUIRE(d.run() == "");
    CHECK(d.word(0) == 2 * 7 * 3 * 2);
}

TEST_CASE("agx compute: faults name the launch; damaged streams and programs only fault") {
    Dispatch d;
    const uint64_t usc = d.program("device_store.i32.x r2, u2_u3, 0\nstop\n");
    CHECK(d.launch(usc, {1, 1, 1}, {1, 1, 1}).run().find("program of launch 1, workgroup 0") !=
          std::string::npos);
    CHECK(d.launch(usc, {1, 1, 1}, {0, 1, 1}).run().find("a workgroup of 0 threads") != std::string::npos);
    constexpr int64_t kQuestions = 200;
    std::mt19937 random(5);
    const uint64_t good = d.program(
        "get_sr r2, thread_position_in_grid.x\ndevice_store.i32.x r2, u0_u1, r2\nwait 0\nstop\n", 512);
    // A damaged program may store anywhere, also to itself.
    const std::vector<uint8_t> whole(d.memory.at(good - 256), d.memory.at(good + 128));
    for (unsigned n = 0; n < 2000; ++n) {
        std::copy(whole.begin(), whole.end(), d.memory.at(good - 256));
        hw::CdmLaunch l;
        l.pipeline.address = good;
        Words w;
        w.add(l).add(hw::CdmSize{64, 1, 1}).add(hw::CdmSize{32, 1, 1}).add(hw::CdmStreamTerminate());
        virt::ComputeCommand command{};
        command.cdm_ctrl_stream_base = w.put(d.memory, 4);
        // A bit of the stream, of the USC words or of the code changes.
        const uint64_t at = n % 3 == 0   ? command.cdm_ctrl_stream_base + random() % 32
                            : n % 3 == 1 ? good + random() % 32
                                         : good - 128 + random() % 128;
        *d.memory.at(at) ^= uint8_t(1u << random() % 8);
        d.memory.questions_left = kQuestions;
        (void)d.submit(command);
    }
    const auto odd = [&] {
        std::copy(whole.begin(), whole.end(), d.memory.at(good - 256));
        *d.memory.at(good + 8 + 4 + 2) |= 1;  // of the code, after the words of uniforms and memory
        return d.launch(good, {64, 1, 1}, {32, 1, 1}).run();
    };
    d.memory.questions_left = kQuestions;
    CHECK(odd().find("no instruction begins at an odd address") != std::string::npos);
    // No queue remembers it.
    std::copy(whole.begin(), whole.end(), d.memory.at(good - 256));
    d.memory.questions_left = kQuestions;
    std::memset(d.memory.at(d.out), 0xff, 64 * 4);
    REQUIRE(d.launch(good, {64, 1, 1}, {32, 1, 1}).run() == "");
    for (unsigned n = 0; n < 64; ++n)
        CHECK(d.word(n) == n);
    // More threads than anyone waits for.
    d.memory.questions_left = kQuestions;
    CHECK(d.launch(d.program("stop\n"), {1u << 31, 1, 1}, {32, 1, 1}).run() == "");
    CHECK(d.memory.questions_left <= 0);
}

}  // namespace
}  // namespace terrazzo::tests::agx
