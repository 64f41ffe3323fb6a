// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/gpu.h"

#include <algorithm>
#include <vector>

#include "drivers/mali/sim/csf/front_end.h"
#include "drivers/mali/sim/fragment/picture.h"
#include "drivers/mali/sim/jobs.h"

namespace terrazzo::mali::sim {

namespace {

using host::RunResult;
using host::Submit;

/// The host, with checks of the order in which jobs of the queue that runs read and write memory.
class OrderedHost final : public Host, private Space {
  public:
    OrderedHost(Host& host, Order& order) : host_(host), order_(order) {}
    Space& space() override { return *this; }
    uint64_t timestamp() const override { return host_.timestamp(); }
    bool should_stop() const override { return host_.should_stop(); }
    void note_progress() override { host_.note_progress(); }
    uint64_t grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) override {
        return host_.grow_heap(context_va, in_flight, pending_fragment);
    }
    unsigned queue = 0;

  private:
    Mapping find(uint64_t va) override { return host_.space().find(va); }
    uint64_t epoch() const override { return host_.space().epoch(); }
    const char* read_image(uint64_t va, uint64_t size_B) override { return order_.read(queue, va, size_B); }
    void stored(uint64_t va, uint64_t size_B) override { order_.stored(queue, va, size_B); }

    Host& host_;
    Order& order_;
};

class Group final : public host::Group {
  public:
    Group(const hw::Chip& chip, Host& host, const host::GroupOptions& options)
        : host_(host, progress_.order),
          machine_(chip, host_, options.threads),
          jobs_(options.draws_nothing ? std::make_unique<Jobs>()
                                      : make_jobs(machine_, options.watches ? &pictures_ : nullptr)),
          queues_(options.queues) {
        for (uint32_t i = 0; i < options.queues; ++i)
            reset(i);
    }
    void reset(uint32_t queue) override {
        queues_[queue] = {std::make_unique<FrontEnd>(machine_, *jobs_, progress_, queue), 0};
    }
    RunResult run(uint32_t queue, const Submit& submit) override {
        if (queue >= queues_.size())
            return {RunStatus::Fatal, true, uint32_t(hw::ExceptionCode::CS_CONFIG_FAULT), "no such queue"};
        Queue& q = queues_[queue];
        FrontEnd& front = *q.front;
        if (q.submit != submit.number) {
            q.submit = submit.number;
            const host::Stream& s = submit.streams[0];
            front.start(s.va, uint32_t(std::min<uint64_t>(s.size_B, UINT32_MAX)), submit.announced,
                        submit.follows);
        }
        host_.queue = queue;
        const RunStatus status = front.run();
        jobs_->count(&machine_.counters);
        if (status != RunStatus::Fault) return {status, front.progressed(), 0, {}};
        // Every fault of the front end loses the group.
        return {RunStatus::Fatal, front.progressed(), uint32_t(front.fault().code), front.fault().report};
    }
    const host::Counters& counters() const override { return machine_.counters; }
    bool take_picture(host::Picture* out, std::string* why) override { return pictures_.take_last(out, why); }

  private:
    struct Queue {
        std::unique_ptr<FrontEnd> front;
        uint64_t submit = 0;  // its number
    };

    Progress progress_;
    OrderedHost host_;
    Machine machine_;
    TargetPictures pictures_;
    const std::unique_ptr<Jobs> jobs_;
    std::vector<Queue> queues_;
};

}  // namespace

std::unique_ptr<host::Group> create_group(const hw::Chip& chip, host::Host& host,
                                          const host::GroupOptions& options) {
    return std::make_unique<Group>(chip, host, options);
}

}  // namespace terrazzo::mali::sim
