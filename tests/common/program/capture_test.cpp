// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/program/capture.h"

#include <array>

#include <doctest/doctest.h>

#include "shaders/ir/interp.h"
#include "shaders/ir/parse.h"

using namespace terrazzo;
using namespace terrazzo::programs::capture_slot;

namespace {

constexpr unsigned kLanes = 8;

/// The first eight invocations of a workgroup. Attribute v of a vertex is 100 * instance + vertex.
class CaptureEnv final : public ir::InterpEnv {
  public:
    uint32_t instance = 0;
    std::array<std::vector<uint32_t>, kVertices + 1> memory;

    void load_input(const ir::IoInfo&, ir::Type, const uint32_t* index, uint32_t* out) override {
        REQUIRE(index);
        for (unsigned i = 0; i < kLanes; ++i)
            out[i] = 100 * instance + index[i];
    }
    void load_sysval(ir::Sysval s, unsigned component, ir::Type, uint32_t* out) override {
        REQUIRE(component == 0);
        for (unsigned i = 0; i < kLanes; ++i)
            out[i] = s == ir::Sysval::LocalInvocationId ? i : s == ir::Sysval::InstanceId ? instance : 0;
    }
    void store_output(const ir::IoInfo&, ir::Type, ir::InterpMask, const uint32_t*) override {
        FAIL("a capture shader has no outputs");
    }
    void tex(ir::InterpTex&) override {}
    std::span<const ir::MemoryRange> slots(ir::Storage space) override {
        if (space != ir::Storage::Buffer) return {};
        for (size_t i = 0; i < memory.size(); ++i)
            ranges_[i] = {reinterpret_cast<uint8_t*>(memory[i].data()), uint32_t(memory[i].size() * 4)};
        return ranges_;
    }

  private:
    std::array<ir::MemoryRange, kVertices + 1> ranges_;
};

}  // namespace

TEST_CASE("capture shaders: listed vertices of each instance are stored one after another, while they fit") {
    const ir::ParseResult vertex = ir::parse(
        "vertex {\n"
        "  %0: i32 = load_input 1.y\n"
        "  %1: i32 = load_sysval vertex_id.x\n"
        "  store_output 0.x, %0\n"
        "  store_output 7.x, %1\n"
        "}\n");
    REQUIRE_MESSAGE(vertex.shader, vertex.error);
    ir::StreamOutputLayout layout;
    layout.outputs = {{.slot = 0, .buffer = 1, .offset_dw = 1}, {.slot = 7, .buffer = 1, .offset_dw = 0}};
    layout.stride_dw[1] = 2;
    const auto s = programs::capture_shader(*vertex.shader, layout);
    CHECK(s->stage == ir::Stage::Compute);
    CHECK(s->info.workgroup_size[0] == programs::kCaptureGroup);
    CHECK(s->info.buffers_written == 1u << (kOutputs + 1));

    CaptureEnv env;
    env.memory[kVertices] = {7, 5, 6};
    env.memory[kState] = {/*before*/ 1, 0, /*of_instance*/ 3};
    env.memory[kOutputs + 1].assign(2 * 6, 0xffff);  // one vertex of the second instance does not fit
    const auto program = ir::InterpProgram::create(*s, kLanes);
    for (env.instance = 0; env.instance < 2; ++env.instance) {
        ir::InterpState state(*program);
        REQUIRE(run(*program, state, env, (ir::InterpMask(1) << kLanes) - 1, 1000) == ir::InterpStatus::Done);
    }
    CHECK(env.memory[kOutputs + 1] ==
          std::vector<uint32_t>{0xffff, 0xffff, 7, 7, 5, 5, 6, 6, 7, 107, 5, 105});
    CHECK(env.memory[kState] == std::vector<uint32_t>{1, 0, 3});
}
