// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs with geometry and tessellation stages, for devices that have only compute, vertex and fragment
// shaders: the kernels of a program (shaders/ir/stage_buffers.h), and the vertex stage that draws what the
// last of them has written. context/kernel_draws.h runs them.
//
//   Vertex       stores the records of vertices that the next stage reads (passes/vertex_kernel.h)
//   Control      linked as a kernel
//   Evaluation   likewise; before a geometry stage it stores that stage's records
//   Count        counts what the geometry stage emits (passes/geometry_passes.h)
//   Sum          adds up runs of kKernelGroup counts: of vertices from kInput to kCount, of primitives from
//                kParam to kPoint
//   Starts       the numbers of vertices and primitives before each count, in pairs of dwords: from the
//                counts in kInput and kParam, and those before each run (kOutput), to kPoint. The last run is
//                filled up, so that invocations after the last one write after what is drawn.
//   Parameters   from the number of primitives in kInput to the parameters of an indirect draw in kOutput
//   Write        stores records and indices without gaps
//   Capture      captures them (passes/stream_output_stores.h)
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "drivers/common/program/stages.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/ir/stream_output.h"

namespace terrazzo::programs {

enum class Kernel : uint8_t { Vertex, Control, Evaluation, Count, Sum, Starts, Parameters, Write, Capture };
inline constexpr unsigned kKernelCount = 9;

/// The stage whose resources the kernel uses. Compute: it uses none.
[[nodiscard]] pipe::Stage stage_of(Kernel k);

/// Storage buffers of Kernel::Capture: the outputs, and the state of stream_output_stores.h. The others have
/// the numbers of ir::capture_buffer.
namespace kernel_capture {
inline constexpr uint32_t kOutputs = 0, kState = ir::kMaxStreamBuffers;
}
/// The uniform block of the vertex stage that draws records.
inline constexpr uint32_t kRecordsBlock = 0;

/// What the kernels of a program read and write.
struct StageShape {
    bool tessellates = false, emits = false;  // has tessellation stages, a geometry stage
    ir::StageRecords control, evaluation, geometry;
    std::array<uint32_t, ir::kMaxStreamBuffers> captured_stride_dw{};

    [[nodiscard]] uint64_t vertex_slots() const { return tessellates ? control.slots_in : geometry.slots_in; }
    [[nodiscard]] uint64_t evaluated_slots() const {
        return emits ? geometry.slots_in : evaluation.slots_out;
    }
    [[nodiscard]] bool captures() const {
        return std::ranges::any_of(captured_stride_dw, [](uint32_t n) { return n != 0; });
    }
    [[nodiscard]] const ir::StageRecords& last() const { return emits ? geometry : evaluation; }
    /// Of a primitive that `stage` outputs.
    [[nodiscard]] static uint32_t corners(const ir::StageRecords& stage) {
        return stage.out == ir::Shape::Points ? 1 : stage.out == ir::Shape::Lines ? 2 : 3;
    }
};

struct StageKernels {
    std::array<std::unique_ptr<ir::Shader>, kKernelCount> kernels;  // null: the program has no use for it
    /// A vertex stage. Vertex n is record n in kRecordsBlock.
    std::unique_ptr<ir::Shader> records;
    StageShape shape;
    std::string error;  // not empty: a stage is damaged, or not supported
};
/// The program has at least one of these stages.
[[nodiscard]] StageKernels stage_kernels(const pipe::ProgramDesc& desc);

}  // namespace terrazzo::programs
