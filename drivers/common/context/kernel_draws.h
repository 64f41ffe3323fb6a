// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws with geometry and tessellation stages, as kernels (program/stage_kernels.h): for each draw, jobs that
// compute records of vertices and indices, then a draw of these by the program's own vertex stage. A vendor
// runs the jobs.
//
// The CPU lists the vertices of the draw (vertex_list.h), so the parameters of an indirect draw are read
// before. What a geometry stage emits stays on the device: the draw is indirect. The CPU waits for its number
// only if it is captured or counted by a query. It waits for the levels of tessellation, since the
// tessellator is the CPU's (pipe/tess).
#pragma once

#include <span>
#include <vector>

#include "drivers/common/context/captured_vertices.h"
#include "drivers/common/program/stage_kernels.h"
#include "pipe/tess/tess.h"

namespace terrazzo::contexts {

/// A storage buffer of a kernel. Not all bytes of the range need be in use.
struct KernelBuffer {
    uint32_t slot;
    pipe::BufferRange range;
    bool written = false;
};

/// A vendor's part.
class KernelRunner {
  public:
    /// Records a job of `groups` workgroups of the bound program's kernel, after all earlier jobs and their
    /// effects. May throw std::bad_alloc.
    virtual void run_kernel(programs::Kernel k, uint32_t groups, std::span<const KernelBuffer> buffers) = 0;
    /// Draws with the program's vertex stage for records. It reads all of `records`. No ranges: the draw is
    /// indirect.
    virtual void draw_records(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                              const pipe::BufferRange& records) = 0;

  protected:
    ~KernelRunner() = default;
};

class KernelDraws {
  public:
    /// Both must outlive this object.
    KernelDraws(images::ImageAccess& context, KernelRunner& runner) : context_(context), runner_(runner) {}

    struct Draw {
        const programs::StageShape& shape;
        const pipe::DrawInfo& info;
        CapturedVertices* capture = nullptr;    // null: nothing is captured
        bool counts = false;                    // a query counts primitives
        uint64_t captured = 0, primitives = 0;  // of the draw; `primitives` if it captures or counts
    };
    /// Throws std::bad_alloc.
    void draw(Draw& d, std::span<const pipe::DrawRange> ranges);

  private:
    using Range = pipe::BufferRange;
    struct Records {
        Range range;
        uint32_t primitives = 0, first = 0;  // `first`: the number of the first one
    };
    /// New memory of this draw; undefined contents.
    [[nodiscard]] Range allocate(uint64_t size_B);
    [[nodiscard]] Range upload(std::span<const uint32_t> words);
    [[nodiscard]] const uint8_t* wait_and_read(const Range& r);
    void run(programs::Kernel k, uint64_t invocations, std::initializer_list<KernelBuffer> buffers);
    [[nodiscard]] Range shade_vertices(const Draw& d);
    [[nodiscard]] Range find_starts(Range vertices, Range primitives, uint32_t invocations, Range* all);
    void evaluate(Draw& d, const Range& control, const Range& patches, const Range& param, uint32_t first);
    void shade_geometry(Draw& d, const Records& in);
    void emit_geometry(Draw& d, const Records& in);
    void tessellate(Draw& d, const Records& in);
    /// Draws `indices` of `records`; if it captures, these first. `count`: how many there are.
    void draw_counted(Draw& d, const Range& records, const Range& indices, uint32_t count);

    images::ImageAccess& context_;
    KernelRunner& runner_;
    VertexList list_;
    pipe::Tessellator tessellator_;
    std::vector<uint32_t> points_, corners_;
    pipe::Ref<pipe::Resource> memory_;
    uint64_t used_B_ = 0;
    std::vector<pipe::Ref<pipe::Resource>> held_;  // by the ranges of the current draw
};

}  // namespace terrazzo::contexts
