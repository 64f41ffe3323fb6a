// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/geometry.h"

#include <algorithm>
#include <string>

#include "drivers/adreno/sim/geometry/indices.h"
#include "drivers/adreno/sim/geometry/stream_output.h"
#include "drivers/adreno/sim/geometry/unique.h"
#include "drivers/adreno/sim/geometry/vertex_stage.h"
#include "drivers/adreno/sim/geometry/visibility.h"
#include "drivers/adreno/sim/geometry/window_setup.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr size_t kBatchPrimitives = 4096;
constexpr uint64_t kBatchLooked = 1u << 20;  // primitives that the tile does not need count here

Visibility& visibility(Machine& machine) {
    if (!machine.vsc) machine.vsc = std::make_shared<Visibility>();
    return *machine.vsc;
}

class Draw {
  public:
    Draw(Machine& machine, WaveRunner& runner, const DrawCall& call)
        : machine_(machine), runner_(runner), call_(call), visibility_(visibility(machine)) {}

    bool run(PrimitiveSink& sink, Fault* fault) {
        bool needed = true;
        if (!check(fault) || !visibility_.tile.begin_draw(machine_, visibility_.pass, call_, &needed, fault))
            return false;
        if (!needed) return true;
        if (!init(fault)) return false;
        runner_.begin_draw();
        const uint64_t total = uint64_t(primitives_.count()) * call_.instances;
        if (recorded_) visibility_.pass.begin_draw();
        for (uint64_t at = 0; at < total;) {
            if (machine_.host.should_stop()) return true;
            if (!run_batch(&at, total, sink, fault)) return false;
            if (!binning_ && !batch_.primitives.empty() && !sink.take(batch_, fault)) return false;
        }
        count_primitives(total);
        return !recorded_ || visibility_.pass.end_draw(machine_, total, fault);
    }

  private:
    // What is wrong before anything is read.
    bool check(Fault* fault) {
        binning_ = machine_.mode == RenderMode::Binning;
        recorded_ = binning_ && call_.initiator.vis_cull == hw::VisCull::USE_VISIBILITY;
        if (call_.initiator.gs_enable)
            return fail(fault, FaultKind::Illegal, "geometry shaders are not executed");
        if (call_.initiator.tess_enable)
            return fail(fault, FaultKind::Illegal, "tessellation is not executed");
        if (binning_ && !visibility_.pass.begun())
            return fail(fault, FaultKind::Hardware, "a draw of a binning pass that no event has begun");
        const auto multiview = machine_.registers.get<hw::VFD_MULTIVIEW_CNTL>();
        if (multiview.value.enable)
            return fail(fault, FaultKind::Hardware, "VFD_MULTIVIEW_CNTL: several views are not executed");
        return true;
    }

    bool init(Fault* fault) {
        hw::PC_PRIMITIVE_CNTL_0 control;
        hw::PC_RASTER_CNTL raster;
        if (!machine_.registers.require(&control, fault) || !machine_.registers.require(&raster, fault))
            return false;
        const bool first = !control.value.provoking_vtx_last;
        if (!load_primitives(machine_, call_, first, &primitives_, fault)) return false;
        provoking_ = first ? 0 : primitives_.corners - 1;
        discard_ = raster.discard || raster.stream != 0;
        return stage_.init(machine_, fault) && stream_output_.init(machine_, stage_.stride(), fault) &&
               (discard_ ||
                setup_.init(machine_, primitives_.kind,
                            call_.initiator.prim_type == hw::PrimType::DI_PT_RECTLIST, stage_, fault));
    }

    // Primitives from *at on, as many as a batch has.
    bool run_batch(uint64_t* at, uint64_t total, PrimitiveSink& sink, Fault* fault) {
        const size_t n = primitives_.corners, per_instance = primitives_.count();
        vertices_.clear();
        corners_.clear();
        numbers_.clear();
        const uint64_t stop = std::min(total, *at + kBatchLooked);
        while (*at < stop && numbers_.size() < kBatchPrimitives) {
            const uint32_t instance = uint32_t(*at / per_instance);
            const size_t first = size_t(*at % per_instance);
            const size_t end = std::min(per_instance, first + kBatchPrimitives - numbers_.size());
            ids_.clear();
            for (size_t p = first; p < end; ++p, ++*at) {
                if (!visibility_.tile.needs(*at)) continue;
                numbers_.push_back(*at);
                ids_.insert(ids_.end(), &primitives_.vertices[p * n], &primitives_.vertices[p * n] + n);
            }
            unique_.add(ids_, instance, &vertices_, &corners_);
        }
        if (!stage_.run(machine_, runner_, vertices_, &batch_.outputs, fault)) return false;
        return set_up(per_instance, sink, fault);
    }

    bool set_up(size_t per_instance, PrimitiveSink& sink, Fault* fault) {
        batch_.primitives.clear();
        const unsigned n = primitives_.corners;
        for (size_t i = 0; i < numbers_.size(); ++i) {
            const uint32_t* corner = &corners_[i * n];
            if (stream_output_.enabled() && !stream_output_.write(machine_, batch_.outputs, corner, n, fault))
                return false;
            if (discard_) continue;
            const size_t before = batch_.primitives.size();
            if (!setup_.set_up(batch_.outputs, corner, provoking_, &batch_.primitives, fault)) return false;
            for (size_t k = before; k < batch_.primitives.size(); ++k) {
                batch_.primitives[k].primitive_id = uint32_t(numbers_[i] % per_instance);
                bool seen = true;
                if (binning_ && !sink.is_seen(batch_.primitives[k], &seen, fault)) return false;
                if (recorded_ && seen) visibility_.pass.add(numbers_[i], batch_.primitives[k].shape);
            }
            drawn_ += batch_.primitives.size() - before;
        }
        shaded_ += vertices_.size();
        return true;
    }

    void count_primitives(uint64_t total) {
        uint64_t* const counters = machine_.primitive_counters;
        counters[0] += uint64_t(call_.count) * call_.instances;
        counters[1] += total;
        counters[2] += shaded_;
        if (discard_) return;
        counters[7] += total;
        counters[8] += drawn_;
    }

    Machine& machine_;
    WaveRunner& runner_;
    const DrawCall& call_;
    Visibility& visibility_;
    units::Primitives primitives_;
    VertexStage stage_;
    StreamOutput stream_output_;
    WindowSetup setup_;
    UniqueVertices unique_;
    DrawnPrimitives batch_;
    std::vector<VertexInvocation> vertices_;  // of the batch
    std::vector<uint32_t> corners_, ids_;  // of its primitives: which of vertices_; vertex ids of an instance
    std::vector<uint64_t> numbers_;        // of its primitives, over all instances
    uint64_t shaded_ = 0, drawn_ = 0;
    unsigned provoking_ = 0;
    bool binning_ = false, discard_ = false;
    bool recorded_ = false;  // the binning pass' streams have the draw: it has a number in them
};

class Collector final : public PrimitiveSink {
  public:
    explicit Collector(DrawnPrimitives* out) : out_(*out) {}
    bool take(DrawnPrimitives& batch, Fault*) override {
        const uint32_t base =
            batch.outputs.words ? uint32_t(out_.outputs.values.size() / batch.outputs.words) : 0;
        out_.outputs.words = batch.outputs.words;
        out_.outputs.values.insert(out_.outputs.values.end(), batch.outputs.values.begin(),
                                   batch.outputs.values.end());
        for (DrawnPrimitive& p : batch.primitives) {
            for (uint32_t& vertex : p.shape.varying)
                vertex += base;
            out_.primitives.push_back(p);
        }
        return true;
    }

  private:
    DrawnPrimitives& out_;
};

}  // namespace

bool run_geometry(Machine& machine, WaveRunner& runner, const DrawCall& call, PrimitiveSink& sink,
                  Fault* fault) {
    Draw draw(machine, runner, call);
    if (draw.run(sink, fault)) return true;
    fault->report = "draw " + std::to_string(call.number) + ": " + fault->report;
    return false;
}

bool run_geometry(Machine& machine, WaveRunner& runner, const DrawCall& call, DrawnPrimitives* out,
                  Fault* fault) {
    *out = {};
    Collector collector(out);
    return run_geometry(machine, runner, call, collector, fault);
}

bool geometry_event(Machine& machine, hw::EventType event, Fault* fault) {
    using hw::EventType;
    if (event == EventType::UNK_2C) return visibility(machine).pass.begin(machine, fault);
    if (event == EventType::UNK_2D) {
        if (!visibility(machine).pass.begun())
            return fail(fault, FaultKind::Hardware, "a binning pass ends that no event has begun");
        return visibility(machine).pass.end(machine, fault);
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
