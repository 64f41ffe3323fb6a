// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The kernels that a driver adds to those of the linker, in the interpreter. tests/pipe_conformance draws
// with all of them.
#include "drivers/common/program/stage_kernels.h"

#include <numeric>

#include "tests/shaders/passes/run_kernel.h"

using namespace terrazzo;
using namespace terrazzo::programs;
namespace buffer = terrazzo::ir::stage_buffer;
using ir::test::KernelBuffers;

namespace {

/// Each point becomes a strip of two triangles.
StageKernels kernels() {
    const auto linked = ir::test::link_kernels(
        {{ir::Stage::Vertex, "in vec4 p; out vec4 v; void main() { gl_Position = p; v = p; }"},
         {ir::Stage::Geometry,
          "layout(points) in; layout(triangle_strip, max_vertices = 4) out; in vec4 v[]; out vec4 c;"
          "void main() { for (int i = 0; i < 4; ++i) { gl_Position = v[0] + float(i); c = v[0]; "
          "EmitVertex(); } "
          "}"}},
        "in vec4 c; out vec4 o; void main() { o = c; }");
    pipe::ProgramDesc d;
    for (size_t i = 0; i < pipe::kStageCount; ++i)
        d.stages[i] = linked->stages[i].get();
    return stage_kernels(d);
}
const ir::Shader& kernel(const StageKernels& all, Kernel k) {
    REQUIRE_MESSAGE(all.kernels[size_t(k)], all.error);
    return *all.kernels[size_t(k)];
}

}  // namespace

TEST_CASE("stage kernels: counts become the numbers of vertices and primitives before") {
    const StageKernels all = kernels();
    constexpr uint32_t kCounts = 200, kRuns = 4;
    std::vector<uint32_t> vertices(kCounts), primitives(kCounts);
    std::iota(vertices.begin(), vertices.end(), 0u);
    std::iota(primitives.begin(), primitives.end(), 1000u);
    const auto total = [](const std::vector<uint32_t>& v, size_t n) {
        return std::accumulate(v.begin(), v.begin() + ptrdiff_t(std::min(n, v.size())), 0u);
    };
    KernelBuffers sums{{buffer::kInput, vertices},
                       {buffer::kParam, primitives},
                       {buffer::kCount, std::vector<uint32_t>(kRuns)},
                       {buffer::kPoint, std::vector<uint32_t>(kRuns)}};
    ir::test::run_kernel(kernel(all, Kernel::Sum), kRuns, sums, true);
    std::vector<uint32_t> before;
    for (uint32_t run = 0; run < kRuns; ++run) {
        const size_t first = run * size_t(ir::kKernelGroup), end = first + ir::kKernelGroup;
        CHECK(sums[buffer::kCount][run] == total(vertices, end) - total(vertices, first));
        CHECK(sums[buffer::kPoint][run] == total(primitives, end) - total(primitives, first));
        before.insert(before.end(), {total(vertices, first), total(primitives, first)});
    }
    KernelBuffers starts{{buffer::kInput, vertices},
                         {buffer::kParam, primitives},
                         {buffer::kOutput, before},
                         {buffer::kPoint, std::vector<uint32_t>(kRuns * ir::kKernelGroup * 2)}};
    ir::test::run_kernel(kernel(all, Kernel::Starts), kRuns, starts, true);
    // After the last count, all are before.
    for (size_t i = 0; i < kRuns * ir::kKernelGroup; ++i) {
        CAPTURE(i);
        CHECK(starts[buffer::kPoint][2 * i] == total(vertices, i));
        CHECK(starts[buffer::kPoint][2 * i + 1] == total(primitives, i));
    }
    KernelBuffers parameters{{buffer::kInput, {7}}, {buffer::kOutput, std::vector<uint32_t>(5, 99)}};
    ir::test::run_kernel(kernel(all, Kernel::Parameters), 1, parameters);
    CHECK(parameters[buffer::kOutput] == std::vector<uint32_t>{21, 1, 0, 0, 0});
}

TEST_CASE("stage kernels: what a program has") {
    const StageKernels all = kernels();
    CHECK(all.error.empty());
    CHECK(all.shape.emits);
    CHECK_FALSE(all.shape.tessellates);
    CHECK_FALSE(all.shape.captures());
    for (const Kernel k : {Kernel::Control, Kernel::Evaluation, Kernel::Capture})
        CHECK_FALSE(all.kernels[size_t(k)]);
    CHECK(all.shape.vertex_slots() == all.shape.geometry.slots_in);
    CHECK(StageShape::corners(all.shape.last()) == 3);
    // The vertex stage of the draw stores what the fragment stage reads, and the position.
    REQUIRE(all.records);
    CHECK(all.records->info.outputs_written ==
          (uint64_t(1) << unsigned(ir::VaryingSlot::Position) | 1u << unsigned(ir::VaryingSlot::Varying0)));
    CHECK(all.records->info.uniform_blocks_read == 1u << kRecordsBlock);
}
