// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// RUN_FRAGMENT: draws the primitives of a polygon list, area by area, on several threads.
#pragma once

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
};

class FragmentJob {
  public:
    /// Workers are created when they are first needed, and kept. `watcher` may be null.
    FragmentJob(Machine& machine, std::vector<std::unique_ptr<FragmentWorker>>& workers,
                TargetWatcher* watcher)
        : machine_(machine), workers_(workers), watcher_(watcher) {}
    JobStatus run(const hw::CsRunFragment& how, const CsRegisters& registers, Fault* fault);

  private:
    struct FrameShader {
        hw::PrePostFrameShaderMode mode = hw::PrePostFrameShaderMode::Never;
        FragmentDraw draw;
        FragmentPrimitive primitive;
    };
    bool load_frame_shaders(Fault* fault);
    bool load_list(uint64_t polygon_list, Fault* fault);
    bool load_segment(uint64_t va, uint64_t* next, Fault* fault);
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
    std::vector<FragmentPrimitive> primitives_;
    units::AreaBins bins_;
    uint64_t last_draw_va_ = 0;
};

}  // namespace terrazzo::mali::sim
