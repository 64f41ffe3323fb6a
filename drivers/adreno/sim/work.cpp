// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/work.h"

#include <new>

#include "drivers/adreno/sim/blit/engine.h"
#include "drivers/adreno/sim/blit/event.h"
#include "drivers/adreno/sim/core/core.h"
#include "drivers/adreno/sim/geometry/geometry.h"
#include "drivers/adreno/sim/pixel/pixels.h"
#include "drivers/adreno/sim/texture/shader_units.h"

namespace terrazzo::adreno::sim {

namespace {

/// The core that vertices run on: that of the thread that draws.
class VertexCore final : public WaveRunner {
  public:
    explicit VertexCore(Machine& machine) : units_(machine), core_(machine.host.space(), units_) {
        core_.host = &machine.host;
    }
    /// Between submits: whatever was read before may have changed.
    void begin_submit() {
        units_.forget();
        core_.programs().begin_job();
        core_.memory().refresh();
    }
    void begin_draw() {
        units_.forget_descriptors();
        units_.set_stage(Stage::Vertex);
    }
    bool run(Wave& wave, uint64_t code_va, uint64_t, std::string* why) override {
        Core::start(wave, code_va, wave.lanes, wave.helpers);
        CoreFault fault;
        switch (core_.run(wave, &fault)) {
            case Outcome::Done:
                return true;
            case Outcome::Barrier:
                *why = "a vertex shader waits at a barrier";
                return false;
            case Outcome::Fault:
                break;
        }
        *why = to_string(fault, code_va);
        return false;
    }

  private:
    ShaderUnits units_;
    Core core_;
};

class AllUnits final : public Work, private PrimitiveSink {
  public:
    explicit AllUnits(Machine& machine) : machine_(machine), vertices_(machine), pixels_(machine) {}
    void begin_submit() override {
        vertices_.begin_submit();
        pixels_.begin_submit();
    }
    bool draw(const DrawCall& call, Fault* fault) override {
        call_ = &call;
        vertices_.begin_draw();
        return run_geometry(machine_, vertices_, call, *this, fault);
    }
    bool dispatch(const DispatchCall&, Fault* fault) override {
        return fail(fault, FaultKind::Hardware, "not implemented: dispatches");
    }
    bool blit_event(Fault* fault) override { return sim::blit_event(machine_, fault); }
    bool blit_2d(Fault* fault) override { return sim::blit_2d(machine_, fault); }
    /// There is no LRZ buffer in the model: nothing to clear.
    bool event(hw::EventType event, Fault* fault) override { return geometry_event(machine_, event, fault); }

  private:
    bool take(DrawnPrimitives& batch, Fault* fault) override { return pixels_.run(*call_, batch, fault); }

    Machine& machine_;
    VertexCore vertices_;
    PixelEngine pixels_;
    const DrawCall* call_ = nullptr;
};

}  // namespace

std::unique_ptr<Work> create_work(Machine& machine) {
    return std::unique_ptr<Work>(new (std::nothrow) AllUnits(machine));
}

}  // namespace terrazzo::adreno::sim
