// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers: hw/cs.rows. Preloaded registers of shaders (Mesa 25.0.7, compiler/bifrost_compile.c): r55, r56
// the invocation in its group (16 bits each), r57 to r59 the group, r60 to r62 the invocation. The warps of a
// group take turns at barriers. The program may be a vertex shader: r60 is then the vertex, and r61 the
// instance.
#include "drivers/mali/sim/compute/compute.h"

#include <algorithm>

#include "drivers/common/units/workgroups.h"
#include "drivers/mali/sim/core/core.h"
#include "drivers/mali/sim/units/shader_units.h"
#include "drivers/mali/sim/units/stage.h"
#include "drivers/mali/sim/worker.h"

namespace terrazzo::mali::sim {

namespace {

using R = hw::ComputeRegisters;

/// Whether each lane does the same in a warp with other workgroups as in one of its own: nothing reads other
/// lanes, or a handle that must be the same for all. No loops, since a workgroup may wait for an earlier one.
bool runs_lane_by_lane(const Program& program) {
    const auto is_of_a_lane = [&](const Step& s) {
        using isa::Message;
        const isa::OpInfo& info = s.instr.info();
        if (!s.good || info.has(isa::Mod::kSubgroup)) return false;
        for (const isa::Operand& o : std::span(s.instr.src).first(info.source_count))
            if (o.kind == isa::OperandKind::kSpecial && o.index == unsigned(isa::Special::kLaneId))
                return false;
        switch (s.kind) {
            case StepKind::Arithmetic:
            case StepKind::Nothing:
                return true;
            case StepKind::Branch: {
                const int64_t over =
                    s.instr.op == isa::Op::kBranchz ? s.instr.immediate(isa::Imm::kOffset) : -1;
                return over >= 0 && over < &program.steps.back() - &s;
            }
            case StepKind::Message:
                return s.message == Message::kLoad || s.message == Message::kStore ||
                       s.message == Message::kAtomic ||
                       (s.message == Message::kAttribute && info.source_count < 3);  // the third is a handle
            case StepKind::Kill:
            case StepKind::Unknown:
                break;
        }
        return false;
    };
    return !program.steps.empty() && program.steps.back().instr.flow == isa::Flow::kEnd &&
           std::all_of(program.steps.begin(), program.steps.end(), is_of_a_lane);
}

/// A barrier in a compute shader ends a warp's turn and does nothing else.
class ComputeUnits final : public ShaderUnits {
  public:
    bool barrier(Warp&, std::string*) override { return true; }
};

}  // namespace

struct ComputeJobs::Dispatch {
    ShaderState shader;
    Stage stage{StageKind::Compute, nullptr, 0, 0, 0, 0};
    units::Grid size;  // of a workgroup
    units::Grid groups;
    uint32_t offset[3] = {0, 0, 0};  // of workgroups
    unsigned merged = 1;             // workgroups that share a warp

    void fill(uint64_t workgroup, uint32_t first, uint32_t count, Warp* warp) const;
    uint32_t invocations() const { return uint32_t(size.count()); }
    unsigned warps() const { return (invocations() + kWarpLanes - 1) / kWarpLanes; }
    bool has_workgroup_memory() const {
        return shader.storage && shader.local.wls_base_pointer && shader.local.wls_instances != kNoInstances;
    }
    /// The bytes that a workgroup has (Mesa 25.0.7, pan_desc.c).
    uint64_t workgroup_B() const {
        const unsigned scale = shader.local.wls_size_scale;
        return scale ? uint64_t(1) << (scale - 1) : 0;
    }
    /// The number of workgroups that may run at the same time: those that have memory.
    uint64_t most_at_a_time(const hw::Chip& chip) const {
        uint64_t most = UINT64_MAX;
        if (has_workgroup_memory()) most = workgroup_B() ? shader.local.wls_instances : 1;
        if (!shader.storage || !shader.local.tls_base_pointer) return most;
        // Drivers provide thread-local memory for all warps that the cores can hold.
        const uint64_t slots = uint64_t(chip.max_threads) * chip.core_id_range() / kWarpLanes;
        return std::min(most, std::max<uint64_t>((slots - kComputeWarpSlot) / warps(), 1));
    }

  private:
    static constexpr uint32_t kNoInstances = 1u << 31;
};

/// One thread's state.
struct ComputeJobs::Worker {
    Worker(Machine& machine, unsigned number) : core(machine.host.space(), units), slot(number) {}
    /// Runs the workgroups of [*workgroup, end) together. On a fault *workgroup is the faulting one.
    bool run(const Dispatch& d, uint64_t* workgroup, uint64_t end, Fault* fault);

    ComputeUnits units;
    Core core;
    const unsigned slot;
    std::vector<Warp> warps;
};

ComputeJobs::ComputeJobs(Machine& machine) : machine_(machine) {}
ComputeJobs::~ComputeJobs() = default;

/// Preloads registers of `count` invocations, from number `first` of the workgroup on.
void ComputeJobs::Dispatch::fill(uint64_t workgroup, uint32_t first, uint32_t count, Warp* warp) const {
    U32 local01{}, local2{}, groups_at[3] = {}, global[3] = {};
    std::array<uint32_t, 3> local = size.place_of(first), group = groups.place_of(workgroup);
    for (uint32_t i = 0; i < count; ++i) {
        local01[i] = local[0] | local[1] << 16;
        local2[i] = local[2];
        for (unsigned c = 0; c < 3; ++c) {
            groups_at[c][i] = group[c] + offset[c];
            global[c][i] = groups_at[c][i] * size.size[c] + local[c];
        }
        if (!size.step(&local)) groups.step(&group);
    }
    preload(shader, warp, 55, local01);
    preload(shader, warp, 56, local2);
    for (unsigned c = 0; c < 3; ++c) {
        preload(shader, warp, 57 + c, groups_at[c]);
        preload(shader, warp, 60 + c, global[c]);
    }
}

bool ComputeJobs::Worker::run(const Dispatch& d, uint64_t* workgroup, uint64_t end, Fault* fault) {
    const uint32_t invocations = d.invocations() * uint32_t(end - *workgroup);
    for (unsigned w = 0; w < d.warps(); ++w) {
        const uint32_t first = w * kWarpLanes, count = std::min(kWarpLanes, invocations - first);
        begin_run(&warps[w]);
        d.fill(*workgroup, first, count, &warps[w]);
        Core::start(warps[w], d.shader.program.binary, (1u << count) - 1);
    }
    CoreFault core_fault;
    if (core::take_turns(
            d.warps(), [&](unsigned w) { return warps[w].flow.live != 0; },
            [&](unsigned w) { return core.run(warps[w], &core_fault); }))
        return true;
    if (d.merged > 1) {
        *workgroup += core_fault.lane / d.invocations();
        core_fault.lane %= d.invocations();
    }
    return report(fault, "compute shader: ", to_string(core_fault, d.shader.program.binary));
}

bool ComputeJobs::load(unsigned srt, unsigned fau, unsigned spd, unsigned tsd, const CsRegisters& r,
                       Dispatch* d, Fault* fault) {
    ShaderAddresses a{r.pair(R::spd + 2 * spd), r.pair(R::srt + 2 * srt), 0, r.pair(R::tsd + 2 * tsd), 0};
    set_fau(&a, r.pair(R::fau + 2 * fau));
    hw::ComputeSizeWorkgroup workgroup;
    if (!load_shader(machine_.memory, a, hw::ShaderStage::Compute, &d->shader, fault) ||
        !take_struct(&r.r[R::workgroup_size], &workgroup, "workgroup size", fault))
        return false;
    d->stage.shader = &d->shader;
    d->stage.attribute_offset = r.r[R::global_attribute_offset];
    d->size = {{workgroup.workgroup_size_x, workgroup.workgroup_size_y, workgroup.workgroup_size_z}};
    std::copy_n(&r.r[R::job_offset_x], 3, d->offset);
    std::copy_n(&r.r[R::job_size_x], 3, d->groups.size);
    if (!d->groups.is_countable()) return report(fault, "a dispatch has 2^64 workgroups or more");
    if (d->size.count() > machine_.chip.thread_max_workgroup_size)
        return report(fault, "a workgroup is larger than the chip has threads for");
    // The checks of loads see each workgroup's own warps.
    if (workgroup.allow_merging_workgroups && !d->has_workgroup_memory() && !machine_.loads &&
        runs_lane_by_lane(*machine_.programs.find(machine_.memory, d->shader.program.binary)))
        d->merged = std::max(1u, kWarpLanes / d->invocations());
    return true;
}

void ComputeJobs::begin(Worker& w, Dispatch& d) {
    begin_job(w, machine_);
    if (w.warps.size() < d.warps()) w.warps.resize(d.warps());
    for (unsigned n = 0; n < d.warps(); ++n) {
        Warp& warp = w.warps[n];
        set_shader(d.shader, kComputeWarpSlot + w.slot * d.warps() + n, &warp);
        if (d.has_workgroup_memory())
            warp.special[unsigned(isa::Special::kWorkgroupLocalPointer)] += w.slot * d.workgroup_B();
        warp.stage = &d.stage;
        warp.tells_stores = true;
    }
}

JobStatus ComputeJobs::run(unsigned srt, unsigned fau, unsigned spd, unsigned tsd, const CsRegisters& r,
                           Fault* fault) {
    Dispatch d;
    if (!load(srt, fau, spd, tsd, r, &d, fault)) return JobStatus::Fault;
    const uint64_t workgroups = d.groups.count();
    if (!workgroups) return JobStatus::Done;
    const unsigned threads =
        units::workgroup_threads(workgroups / d.merged, d.warps(),
                                 std::min<uint64_t>(machine_.threads, d.most_at_a_time(machine_.chip)));
    for (unsigned n = 0; n < threads; ++n) {
        if (workers_.size() == n) workers_.push_back(std::make_unique<Worker>(machine_, n));
        begin(*workers_[n], d);
    }
    units::WorkgroupFailure<Fault> failure;
    const units::AreaResult result = units::run_workgroups(
        {0, workgroups, d.merged}, machine_.on_threads(threads),
        [&](unsigned worker, uint64_t* workgroup, uint64_t end, Fault* f) {
            return workers_[worker]->run(d, workgroup, end, f);
        },
        [](Fault* f) { fail_without_memory("dispatch", f); }, [&] { return machine_.host.should_stop(); },
        &failure);
    if (result == units::AreaResult::Failed) *fault = std::move(failure.fault);
    return status_of(result);
}

void ComputeJobs::count(host::Counters* counters) const {
    for (const auto& w : workers_)
        count_work(*w, counters);
}

}  // namespace terrazzo::mali::sim
