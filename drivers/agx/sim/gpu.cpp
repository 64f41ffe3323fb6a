// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A submit is a command of the kernel in memory. A render is submitted twice, for its vertex work and for its
// fragment work; what the first leaves to the second is kept under the command's address.
#include "drivers/agx/sim/gpu.h"

#include <unordered_map>
#include <utility>

#include "drivers/agx/sim/machine.h"
#include "drivers/agx/sim/render.h"

namespace terrazzo::agx::sim {

namespace {

using host::RunResult;
using host::RunStatus;
using host::Submit;
using winsys::virt::asahi::kWorkQueues;
using winsys::virt::asahi::WorkQueue;

class Group final : public host::Group {
  public:
    Group(Host& host, const host::GroupOptions& options)
        : machine_(host, options.threads), draws_nothing_(options.draws_nothing) {}

    RunResult run(uint32_t queue, const Submit& submit) override {
        if (queue >= kWorkQueues || submit.streams.size() != 1)
            return {RunStatus::Fault, true, uint32_t(Exception::BadCommand), "no such queue or command"};
        machine_.memory.refresh();
        Fault fault;
        const bool good = draws_nothing_ || run_command(WorkQueue(queue), submit.streams[0].va, &fault);
        if (good) return {RunStatus::Done, true, 0, {}};
        RunResult out{RunStatus::Fault, true, uint32_t(fault.exception), std::move(fault.report)};
        out.address = fault.address;
        return out;
    }
    const host::Counters& counters() const override { return machine_.counters; }
    bool take_picture(host::Picture* out, std::string* why) override {
        machine_.memory.refresh();
        return tiles_->take_picture(out, why);
    }

  private:
    bool run_command(WorkQueue queue, uint64_t va, Fault* fault) {
        if (queue == WorkQueue::Compute) {
            ComputeCommand command;
            if (!read(va, &command, sizeof command, fault)) return false;
            const bool good = compute_->run(command, fault);
            compute_->count(&machine_.counters);
            return good;
        }
        RenderCommand command;
        if (!read(va, &command, sizeof command, fault)) return false;
        bool good;
        if (queue == WorkQueue::Vertex) {
            Binned& binned = binned_[va];
            binned = {};
            good = vertices_->run(command, *tiles_, &binned.render, &binned.pass, fault);
            vertices_->count(&machine_.counters);
            if (!good) binned_.erase(va);
        } else {
            const auto binned = binned_.find(va);
            if (binned == binned_.end())
                return fail(fault, Exception::BadCommand, "fragment work without its vertex work");
            good = tiles_->run(command, binned->second.render, binned->second.pass, fault);
            binned_.erase(binned);
        }
        tiles_->count(&machine_.counters);
        machine_.host.note_progress();
        return good;
    }
    bool read(uint64_t va, void* command, uint64_t size_B, Fault* fault) {
        return machine_.memory.read(va, command, size_B) || fail_access(fault, machine_.memory, "command");
    }

    struct Binned {
        BinnedRender render;
        TilePass pass;
    };
    Machine machine_;
    const bool draws_nothing_;
    const std::unique_ptr<TileEngine> tiles_ = create_tile_engine(machine_);
    const std::unique_ptr<VertexEngine> vertices_ = create_vertex_engine(machine_);
    const std::unique_ptr<ComputeEngine> compute_ = create_compute_engine(machine_);
    std::unordered_map<uint64_t, Binned> binned_;
};

}  // namespace

std::unique_ptr<host::Group> create_group(Host& host, const host::GroupOptions& options) {
    return std::make_unique<Group>(host, options);
}

}  // namespace terrazzo::agx::sim
