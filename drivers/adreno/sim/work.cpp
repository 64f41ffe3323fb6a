// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/work.h"

#include "drivers/adreno/sim/blit/engine.h"
#include "drivers/adreno/sim/blit/event.h"
#include "drivers/adreno/sim/compute/compute.h"
#include "drivers/adreno/sim/geometry/geometry.h"
#include "drivers/adreno/sim/geometry/vertex_core.h"
#include "drivers/adreno/sim/picture.h"
#include "drivers/adreno/sim/pixel/pixels.h"

namespace terrazzo::adreno::sim {

namespace {

class AllUnits final : public Work, private PrimitiveSink {
  public:
    AllUnits(Machine& machine, LastTarget* target)
        : machine_(machine), target_(target), vertices_(machine), pixels_(machine), compute_(machine) {}
    void begin_submit() override {
        ++machine_.texture_serial;
        pixels_.begin_submit();
    }
    void start_submit() override { pixels_.lrz().begin_submit(); }
    bool end_submit(Fault* fault) override { return pixels_.lrz().end_submit(fault); }
    bool draw(const DrawCall& call, Fault* fault) override {
        pixels_.begin_draw(call);
        const bool good = run_geometry(machine_, vertices_, call, *this, fault);
        machine_.work.shaders[unsigned(Stage::Vertex)] = vertices_.stats();
        machine_.work.texture_pixels[unsigned(Stage::Vertex)] = vertices_.texture_pixels();
        if (good && target_) target_->after_draw(machine_);
        return good;
    }
    bool dispatch(const DispatchCall& call, Fault* fault) override {
        const bool good = compute_.dispatch(call, fault);
        machine_.work.shaders[unsigned(Stage::Compute)] = compute_.stats();
        machine_.work.texture_pixels[unsigned(Stage::Compute)] = compute_.texture_pixels();
        return good;
    }
    bool blit_event(Fault* fault) override {
        const bool good = sim::blit_event(machine_, fault);
        if (good && target_) target_->after_blit(machine_);
        return good;
    }
    bool blit_2d(Fault* fault) override {
        ++machine_.texture_serial;
        if (!sim::blit_2d(machine_, fault)) return false;
        return pixels_.lrz().wrote(machine_.registers.get<hw::RB_2D_DST>().value, fault);
    }
    bool event(hw::EventType event, Fault* fault) override {
        if (event == hw::EventType::LRZ_CLEAR && !pixels_.lrz().clear(fault)) return false;
        if (event == hw::EventType::LRZ_FLUSH) pixels_.lrz().flush();
        return geometry_event(machine_, event, fault);
    }
    void count() override {
        WorkCounters& work = machine_.work;
        work.primitives = machine_.primitive_counters[1];
        work.vertices = machine_.primitive_counters[2];
        work.texture_fetches = work.instructions = 0;
        for (unsigned stage = 0; stage < kStages; ++stage) {
            work.texture_fetches += work.texture_pixels[stage];
            work.instructions += work.shaders[stage].all();
        }
    }

  private:
    bool take(const VertexOutputs& outputs, std::span<const DrawnList> lists, Fault* fault) override {
        return pixels_.take(outputs, lists, fault);
    }
    bool is_seen(const DrawnPrimitive& p, bool* seen, Fault* fault) override {
        return pixels_.lrz().test(p, seen, fault);
    }

    Machine& machine_;
    LastTarget* const target_;
    VertexCore vertices_;
    PixelEngine pixels_;
    ComputeShaders compute_;
};

}  // namespace

std::unique_ptr<Work> create_work(Machine& machine, LastTarget* target) {
    return std::make_unique<AllUnits>(machine, target);
}

}  // namespace terrazzo::adreno::sim
