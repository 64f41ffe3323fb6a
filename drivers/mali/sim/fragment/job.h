// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// RUN_FRAGMENT: draws the primitives of a polygon list, area by area, on several threads.
#pragma once

#include <cstring>
#include <memory>

#include "drivers/common/units/areas.h"
#include "drivers/mali/sim/fragment/shade.h"

namespace terrazzo::mali::sim {

/// A thread's core, units and tile buffer.
struct FragmentWorker {
    explicit FragmentWorker(Space& space) : core(space, units) {}
    FragmentUnits units;
    Core core;
    Area area;
    std::vector<uint32_t> bin;  // the primitives of the area
    PendingQuads pending;
    FragmentWarps warps;
    /// Those whose quads are not shaded yet; the first `used` ones.
    std::vector<FragmentPrimitive> primitives = std::vector<FragmentPrimitive>(kMostPrimitives);
    unsigned used = 0;
    static constexpr unsigned kMostPrimitives = 512;
    uint64_t fragments = 0, samples_passed = 0;  // of all jobs
};

/// What jobs keep for the next one: workers, which are created when they are first needed, and memory.
struct FragmentMemory {
    std::vector<std::unique_ptr<FragmentWorker>> workers;
    units::AreaBins bins;
};

class FragmentJob {
  public:
    /// `watcher` may be null.
    FragmentJob(Machine& machine, FragmentMemory& memory, TargetWatcher* watcher)
        : machine_(machine), workers_(memory.workers), watcher_(watcher), bins_(memory.bins) {}
    JobStatus run(const hw::CsRunFragment& how, const CsRegisters& registers, Fault* fault);

  private:
    struct FrameShader {
        hw::PrePostFrameShaderMode mode = hw::PrePostFrameShaderMode::Never;
        FragmentDraw draw;
        FragmentPrimitive primitive;
    };
    bool load_frame_shaders(Fault* fault);
    /// A segment of the polygon list. Its primitives have the numbers from `first` on.
    struct Segment {
        const FragmentDraw* draw = nullptr;
        const uint8_t* records = nullptr;   // of primitives; null: one that covers the whole framebuffer
        const uint8_t* vertices = nullptr;  // not null: records are TriangleRecords
        const uint8_t* varyings = nullptr;
        uint32_t primitive_count = 0, varying_count = 0;
        size_t first = 0;
        float size_px = 1;
        template <class Record>
        Record read(const uint8_t* from, uint32_t i) const {
            Record r;
            std::memcpy(&r, from + size_t(i) * sizeof r, sizeof r);
            return r;
        }
        PrimitiveRecord record(uint32_t i) const;
        [[nodiscard]] uint32_t layer(uint32_t i) const;
        /// The corners of a triangle. False: it has none, because its record is broken, or is no triangle.
        bool corners(uint32_t i, int32_t corner[3][2]) const;
        /// The record, or the vertices of a triangle's record, will be read soon.
        void prefetch_record(uint32_t i) const {
            if (records)
                __builtin_prefetch(records +
                                   i * (vertices ? sizeof(TriangleRecord) : sizeof(PrimitiveRecord)));
        }
        void prefetch_vertices(uint32_t i) const {
            if (!vertices) return;
            for (const uint32_t v : read<TriangleRecord>(records, i).vertex)
                __builtin_prefetch(vertices + size_t(v) * sizeof(VertexRecord));
        }
    };
    bool load_list(uint64_t polygon_list, Fault* fault);
    bool load_segment(uint64_t va, uint64_t* next, Fault* fault);
    const FragmentDraw* load_segment_draw(uint64_t va, Fault* fault);
    /// Lists the primitives of the segments by the areas that they touch.
    JobStatus bin_primitives(Fault* fault);
    pipe::raster::PixelRect pixels_of(const Segment& segment, uint32_t i) const;
    /// The segment that contains primitive `number`.
    const Segment* segment_of(size_t number) const;
    bool set_up(const Segment& segment, uint32_t i, FragmentPrimitive* p, bool* covers, Fault* fault);
    bool draw_primitives(FragmentShader& shader, FragmentWorker& w, const std::vector<uint32_t>& bin,
                         Fault* fault);
    bool run_area(FragmentWorker& w, unsigned index, Fault* fault);
    bool run_frame_shader(FragmentShader& shader, FragmentWorker& w, const FrameShader& f, bool intersects,
                          Fault* fault);
    JobStatus run_areas(Fault* fault);

    Machine& machine_;
    std::vector<std::unique_ptr<FragmentWorker>>& workers_;
    TargetWatcher* const watcher_;
    FramebufferState fb_;
    FrameShader frame_[3];
    std::vector<std::unique_ptr<FragmentDraw>> draws_;
    std::vector<Segment> segments_;
    size_t primitive_count_ = 0;
    units::AreaBins& bins_;
    uint64_t last_draw_va_ = 0;
};

}  // namespace terrazzo::mali::sim
