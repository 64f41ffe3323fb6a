// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches on one thread and on several: results and faults are the same.
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

using R = hw::ComputeRegisters;

constexpr unsigned kThreads = 4;

// The uniforms u0 and u1 are the address of the output; each test chooses u2.
struct ComputeFixture : DrawFixture {
    explicit ComputeFixture(const char* text, unsigned threads) {
        machine.threads = threads;
        registers = {};
        constexpr uint32_t kPreloaded = 0x7f80;  // r55 to r62
        set(R::spd, program(text, hw::ShaderStage::Compute, kPreloaded));
    }
    void uniforms(uint64_t output, uint32_t value) {
        const uint32_t words[4] = {uint32_t(output), uint32_t(output >> 32), value, 0};
        set(R::fau, place(words, sizeof(words)) | uint64_t(2) << 56);
    }
    void workgroup(uint32_t x, uint32_t y = 1, uint32_t z = 1, bool merges = false) {
        hw::ComputeSizeWorkgroup size;
        size.allow_merging_workgroups = merges;
        size.workgroup_size_x = x;
        size.workgroup_size_y = y;
        size.workgroup_size_z = z;
        hw::pack(size, &registers.r[R::workgroup_size]);
    }
    JobStatus run(uint32_t x, uint32_t y = 1, uint32_t z = 1) {
        registers.r[R::job_size_x] = x;
        registers.r[R::job_size_y] = y;
        registers.r[R::job_size_z] = z;
        return jobs->compute({}, registers, &fault);
    }
    uint64_t instructions() const {
        host::Counters all{};
        jobs->count(&all);
        return all.instructions;
    }
    uint32_t word(uint64_t va, uint64_t n) {
        uint32_t v;
        std::memcpy(&v, at(va) + n * 4, 4);
        return v;
    }
};

// Each invocation increments the first word, and stores its number plus u2 after it.
constexpr const char* kCount =
    "SHADDX.u64 r0, u0, r60.w0, shift:0x2\n"
    "IADD.u32 r2, r60, u2\n"
    "STORE.i32.slot0.wait0 @r2, r0, offset:4\n"
    "MOV.i32 r4, u0\n"
    "MOV.i32 r5, u1\n"
    "IADD_IMM.i32 r6, 0x0, #0x1\n"
    "ATOM.i32.slot0.aadd.wait0 @r6, r4, offset:0x0\n"
    "NOP.end\n";

}  // namespace

TEST_CASE("compute: workgroups of all sizes, on any number of threads, have the results of one thread") {
    for (const uint32_t size : {1u, 5u, 16u, 33u, 1024u})
        for (const unsigned threads : {1u, kThreads}) {
            CAPTURE(size);
            CAPTURE(threads);
            const uint32_t groups = size == 1024 ? 40 : 700;
            ComputeFixture f(kCount, threads);
            const uint64_t output = f.room((uint64_t(groups) * size + 1) * 4);
            f.uniforms(output, 100);
            f.workgroup(size);
            for (unsigned pass = 1; pass <= 2; ++pass) {
                const JobStatus status = f.run(groups);
                INFO(f.fault.report);
                REQUIRE(status == JobStatus::Done);
                CHECK(f.word(output, 0) == pass * groups * size);
                CHECK((f.machine.pool != nullptr) == (threads > 1));
                for (uint32_t n = 0; n < groups * size; ++n)
                    REQUIRE(f.word(output, 1 + n) == n + 100);
            }
        }
}

TEST_CASE("compute: invocations of merged workgroups have their own registers and paths") {
    // At 32 times the invocation's number: r55 to r62; in workgroups whose x is not 0, the last one plus 256.
    constexpr const char* kWho =
        "IMUL.i32 r4, r61, u2\n"
        "IMUL.i32 r5, r62, u3\n"
        "IADD.u32 r4, r4, r5\n"
        "IADD.u32 r4, r4, r60\n"
        "SHADDX.u64 r0, u0, r4.w0, shift:0x5\n"
        "MOV.i32 r8, r55\n"
        "MOV.i32 r9, r56\n"
        "MOV.i32 r10, r57\n"
        "MOV.i32 r11, r58\n"
        "MOV.i32 r12, r59\n"
        "MOV.i32 r13, r60\n"
        "MOV.i32 r14, r61\n"
        "MOV.i32 r15, r62\n"
        "BRANCHZ.eq r57, offset:1\n"
        "IADD_IMM.i32 r15, r15, #0x100\n"
        "STORE.i128.slot0 @r8:r9:r10:r11, r0, offset:0\n"
        "STORE.i128.slot0.wait0 @r12:r13:r14:r15, r0, offset:16\n"
        "NOP.end\n";
    constexpr uint32_t kGroups[3] = {7, 5, 3};
    for (const unsigned threads : {1u, kThreads})
        for (const std::array<uint32_t, 3> size : {std::array{1u, 1u, 1u}, {3u, 1u, 1u}, {2u, 2u, 2u}}) {
            CAPTURE(threads);
            CAPTURE(size[0]);
            const uint32_t width = kGroups[0] * size[0], area = width * kGroups[1] * size[1];
            uint64_t instructions[2] = {};
            for (const bool merges : {false, true}) {
                ComputeFixture f(kWho, threads);
                const uint64_t output = f.room(area * kGroups[2] * size[2] * 32);
                const uint32_t words[4] = {uint32_t(output), uint32_t(output >> 32), width, area};
                f.set(R::fau, f.place(words, sizeof(words)) | uint64_t(2) << 56);
                f.workgroup(size[0], size[1], size[2], merges);
                const JobStatus status = f.run(kGroups[0], kGroups[1], kGroups[2]);
                INFO(f.fault.report);
                REQUIRE(status == JobStatus::Done);
                instructions[merges] = f.instructions();
                for (uint32_t n = 0; n < area * kGroups[2] * size[2]; ++n) {
                    const uint32_t at[3] = {n % width, n % area / width, n / area};
                    uint32_t local[3], group[3];
                    for (unsigned c = 0; c < 3; ++c) {
                        local[c] = at[c] % size[c];
                        group[c] = at[c] / size[c];
                    }
                    const uint32_t wanted[8] = {
                        local[0] | local[1] << 16,   local[2], group[0], group[1], group[2], at[0], at[1],
                        at[2] + (group[0] ? 256 : 0)};
                    for (unsigned r = 0; r < 8; ++r)
                        REQUIRE(f.word(output, n * 8 + r) == wanted[r]);
                }
            }
            // Fewer warps, of which some execute both paths of the branch one after the other.
            CHECK(instructions[1] * 4 < instructions[0] * 3);
        }
}

TEST_CASE("compute: workgroups are merged only if that is allowed and lanes do not depend on each other") {
    struct Checks final : LoadOrder {
        const char* loaded(uint64_t, uint64_t) override { return nullptr; }
    } checks;
    enum class Has : uint8_t { Nothing, Memory, Checks };
    const auto merges = [&](const std::string& text, uint32_t size, Has has) {
        uint64_t instructions[2];
        for (const bool allowed : {false, true}) {
            ComputeFixture f(text.c_str(), 1);
            f.machine.loads = has == Has::Checks ? &checks : nullptr;
            hw::LocalStorage storage;
            storage.wls_instances = 1;
            storage.wls_size_scale = 8;
            storage.wls_base_pointer = f.room(4096);
            if (has == Has::Memory) f.set(R::tsd, f.place(storage));
            f.uniforms(f.room(64 * 1024), 0);
            f.workgroup(size, 1, 1, allowed);
            const JobStatus status = f.run(100);
            INFO(f.fault.report);
            REQUIRE(status == JobStatus::Done);
            instructions[allowed] = f.instructions();
        }
        return instructions[1] < instructions[0];
    };
    const auto with = [](const char* text) { return std::string(text) + kCount; };
    CHECK(merges(kCount, 1, Has::Nothing));
    CHECK(merges(kCount, 8, Has::Nothing));
    CHECK_FALSE(merges(kCount, 9, Has::Nothing));
    CHECK_FALSE(merges(kCount, 1, Has::Memory));
    CHECK_FALSE(merges(kCount, 1, Has::Checks));
    CHECK(merges(with("BRANCHZ.eq r60, offset:1\nNOP\n"), 1, Has::Nothing));
    CHECK_FALSE(merges(with("NOP\nBRANCHZ.eq u0, offset:-2\n"), 1, Has::Nothing));
    CHECK_FALSE(merges(with("MOV.i32 r8, lane_id.w0\n"), 1, Has::Nothing));
    CHECK_FALSE(merges(with("WMASK.subgroup16 r8, r60\n"), 1, Has::Nothing));
    CHECK_FALSE(merges(with("CLPER.i32.subgroup4.xor.zero r8, r60, 0x1000000.b33\n"), 1, Has::Nothing));
    CHECK_FALSE(merges(with("BARRIER.slot7.wait\n"), 1, Has::Nothing));
}

TEST_CASE("compute: workgroups with three dimensions begin at the job's offset; an empty job does nothing") {
    // (x, y, z) of the workgroup as bytes, at the number of its first axis.
    ComputeFixture f(
        "LSHIFT_OR.i32 r2, r58, u2.b00, r57\n"
        "LSHIFT_OR.i32 r3, r59, u2.b00, 0x0\n"
        "LSHIFT_OR.i32 r2, r3, u2.b00, r2\n"
        "SHADDX.u64 r0, u0, r57.w0, shift:0x2\n"
        "STORE.i32.slot0.wait0 @r2, r0, offset:0\n"
        "NOP.end\n",
        kThreads);
    const uint64_t output = f.room(4096);
    f.uniforms(output, 8);
    f.workgroup(1);
    f.registers.r[R::job_offset_x] = 3;
    f.registers.r[R::job_offset_y] = 5;
    f.registers.r[R::job_offset_z] = 7;
    CHECK(f.run(200, 1, 0) == JobStatus::Done);
    CHECK(f.word(output, 3) == 0);
    const JobStatus status = f.run(200, 1, 1);
    INFO(f.fault.report);
    REQUIRE(status == JobStatus::Done);
    CHECK(f.word(output, 2) == 0);
    for (uint32_t n = 3; n < 203; ++n)
        CHECK(f.word(output, n) == (n | 5u << 8 | 7u << 16));
    CHECK(f.run(~0u, ~0u, ~0u) == JobStatus::Fault);
    CHECK(f.fault.report == "a dispatch has 2^64 workgroups or more");
}

TEST_CASE("compute: the fault of the first workgroup is reported") {
    std::string wanted;
    for (unsigned pass = 0; pass < 40; ++pass) {
        // The workgroups from 70 on store beyond the memory.
        ComputeFixture f(
            "SHADDX.u64 r0, u0, r57.w0, shift:0x2\n"
            "STORE.i32.slot0.wait0 @r57, r0, offset:0\n"
            "NOP.end\n",
            pass ? kThreads : 1);
        f.uniforms(FlatSpace::kBase + FlatSpace::kSize - 70 * 4, 0);
        f.workgroup(1, 1, 1, pass % 2);
        CHECK(f.run(1000) == JobStatus::Fault);
        if (!pass) wanted = f.fault.report;
        CHECK(f.fault.report == wanted);
    }
    INFO(wanted);
    CHECK(wanted.find("lane 0: write to 4 bytes at 0x900000") != std::string::npos);
}

TEST_CASE("compute: each running workgroup has its own memory, which limits their number") {
    constexpr uint32_t kSize = 32, kGroups = 300, kMemory_B = 128;
    for (const uint32_t instances : {1u, 2u, 8u}) {
        CAPTURE(instances);
        // Each invocation passes its number to the invocation of the other warp.
        ComputeFixture f(
            "SHADDX.u64 r0, workgroup_local_pointer, r55.w0, shift:0x2\n"
            "STORE.i32.slot0.wait0 @r60, r0, offset:0\n"
            "BARRIER.slot7.wait\n"
            "ISUB.u32 r3, u2, r55\n"
            "SHADDX.u64 r4, workgroup_local_pointer, r3.w0, shift:0x2\n"
            "LOAD.i32.unsigned.slot0.wait0 @r6, r4, offset:0\n"
            "SHADDX.u64 r8, u0, r60.w0, shift:0x2\n"
            "STORE.i32.slot0.wait0 @r6, r8, offset:0\n"
            "NOP.end\n",
            kThreads);
        const uint64_t output = f.room(kGroups * kSize * 4);
        hw::LocalStorage storage;
        storage.wls_instances = instances;
        storage.wls_size_scale = 8;  // 128 bytes
        storage.wls_base_pointer = f.room(instances * kMemory_B + 4096);
        f.set(R::tsd, f.place(storage));
        f.uniforms(output, kSize - 1);
        f.workgroup(kSize);
        const JobStatus status = f.run(kGroups);
        INFO(f.fault.report);
        REQUIRE(status == JobStatus::Done);
        for (uint32_t n = 0; n < kGroups * kSize; ++n)
            REQUIRE(f.word(output, n) == n / kSize * kSize + kSize - 1 - n % kSize);
        for (uint32_t n = 0; n < 1024; ++n)  // nothing beyond the instances
            REQUIRE(f.word(storage.wls_base_pointer, instances * kMemory_B / 4 + n) == 0);
    }
}

TEST_CASE("compute: a workgroup may wait for an earlier one") {
    ComputeFixture f(
        "MOV.i32 r0, u0\n"
        "MOV.i32 r1, u1\n"
        "LOAD.i32.unsigned.slot0.wait0 @r4, r0, offset:0\n"
        "ISUB.u32 r5, r4, r57\n"
        "BRANCHZ.eq r5, offset:1\n"
        "BRANCHZ.eq 0x0, offset:-4\n"
        "IADD_IMM.i32 r6, r57, #0x1\n"
        "STORE.i32.slot0.wait0 @r6, r0, offset:0\n"
        "NOP.end\n",
        kThreads);
    const uint64_t output = f.room(64);
    f.uniforms(output, 0);
    f.workgroup(1, 1, 1, true);
    const JobStatus status = f.run(1500);
    INFO(f.fault.report);
    REQUIRE(status == JobStatus::Done);
    CHECK(f.word(output, 0) == 1500);
}

TEST_CASE("compute: a vertex shader reads attributes by vertex and instance, as for transform feedback") {
    ComputeFixture f(kCount, 1);
    f.set(R::spd, f.program("LD_ATTR_IMM.v4.f32.slot0.wait0 @r0:r1:r2:r3, r60, r61, index:0x0, table:0x1\n"
                            "LSHIFT_OR.i32 r4, r61, u2.b00, r60\n"
                            "SHADDX.u64 r6, u0, r4.w0, shift:0x4\n"
                            "STORE.i128.slot0.end @r0:r1:r2:r3, r6, offset:0\n",
                            hw::ShaderStage::Vertex, 1u << 12 | 1u << 13));
    f.vertices({{{0, 1, 2, 3}, {}}, {{4, 5, 6, 7}, {}}, {{8, 9, 10, 11}, {}}, {{12, 13, 14, 15}, {}}});
    hw::Attribute a;
    a.format = hw::format_row(pipe::Format::R32G32B32A32_FLOAT)->pixel_format;
    a.table = 2;
    a.stride = sizeof(Vertex);
    a.offset_enable = true;
    const uint64_t attributes = f.place(a);
    f.table(1, attributes, 1);
    f.set(R::srt, f.tables | 5);
    f.registers.r[R::global_attribute_offset] = 1;
    const uint64_t output = f.room(4096);
    f.uniforms(output, 2);  // the place: the instance times four, plus the vertex
    f.workgroup(1);
    const JobStatus status = f.run(3, 2);
    INFO(f.fault.report);
    REQUIRE(status == JobStatus::Done);
    for (unsigned instance = 0; instance < 2; ++instance)
        for (unsigned vertex = 0; vertex < 3; ++vertex) {
            float v[4];
            std::memcpy(v, f.at(output) + (instance * 4 + vertex) * 16, 16);
            CHECK(v[1] == float(4 * (vertex + 1) + 1));
        }
}

TEST_CASE("compute: a fragment shader is none") {
    ComputeFixture f(kCount, 1);
    f.set(R::spd, f.program(kCount, hw::ShaderStage::Fragment, 0x7f80));
    f.workgroup(1);
    CHECK(f.run(1) == JobStatus::Fault);
    CHECK(f.fault.report.find("of stage Fragment, not Compute") != std::string::npos);
}
