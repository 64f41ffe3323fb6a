// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The waits, signals and flushes that order the jobs of several queues.
#include "drivers/common/submission/job_order.h"

#include <string>

#include <doctest/doctest.h>

using namespace terrazzo::submission;

namespace {

struct Streams {
    std::string text;
    void wait_for_own(size_t q) { text += std::to_string(q) + " waits for its jobs\n"; }
    void wait_for(size_t q, size_t other, uint64_t number) {
        text += std::to_string(q) + " waits for " + std::to_string(number) + " of " + std::to_string(other) +
                "\n";
    }
    void signal(size_t q, bool runs) {
        text += std::to_string(q) + (runs ? " signals after its jobs\n" : " signals\n");
    }
    void flush(size_t q) { text += std::to_string(q) + " flushes\n"; }
};

using Order = JobOrder<3>;

std::string met(Order& order, size_t queue, const Order::Needs& needs) {
    Streams s;
    order.meet(s, queue, needs);
    return s.text;
}

}  // namespace

TEST_CASE("job order: a queue waits for a number of another one, once") {
    Order order;
    order.begin_streams(true);
    order.note_job(0, 5);
    LastJobs<3> image;
    image.note_written(0, 5);
    Order::Needs reads;
    reads.reads(image);
    CHECK(met(order, 1, {}) == "");
    CHECK(met(order, 1, reads) == "0 signals after its jobs\n1 waits for 1 of 0\n1 flushes\n");
    CHECK(met(order, 1, reads) == "");
    // A write needs no flush. The signal was emitted before.
    Order::Needs writes;
    writes.writes(image);
    CHECK(met(order, 2, writes) == "2 waits for 1 of 0\n");
    CHECK(met(order, 0, reads) == "0 waits for its jobs\n0 flushes\n");
    // The kernel waits for jobs of other contexts.
    image.note_written(0, 900);
    Order::Needs other;
    other.reads(image);
    CHECK(met(order, 1, other) == "");
}

TEST_CASE("job order: a queue knows what the signalling queue knew") {
    Order order;
    order.begin_streams(true);
    order.note_job(0, 1);
    CHECK(met(order, 1, {.done = {1}}) == "0 signals after its jobs\n1 waits for 1 of 0\n");
    order.note_job(1, 2);
    CHECK(met(order, 2, {.done = {1, 2}}) == "1 signals after its jobs\n2 waits for 1 of 1\n");
    // The streams are discarded, so nothing of this happened. New streams begin after all earlier ones.
    order.note_job(2, 3);
    order.take_back();
    CHECK(order.last(2) == 0);
    order.note_job(0, 4);
    order.begin_streams(false);
    CHECK(met(order, 0, {.done = {4}, .seen = {4}}) == "");
    CHECK(met(order, 1, {.done = {4}}) == "0 signals\n1 waits for 1 of 0\n");
    order.begin_streams(true);
    CHECK(order.count(0) == 0);
    CHECK(met(order, 1, {.done = {4}}) == "");
}

TEST_CASE("job order: jobs of one queue that access the same memory") {
    JobRanges ranges;
    ranges.add({0, 10}, {20, 30}, 1, 0, 0);
    const auto seen = ranges.needed({25, 26}, {40, 50}, 1), done = ranges.needed({40, 50}, {5, 6}, 1),
               none = ranges.needed({0, 20}, {30, 40}, 1);
    CHECK((seen.done == 1 && seen.seen == 1));
    CHECK((done.done == 1 && done.seen == 0));
    CHECK((none.done == 0 && none.seen == 0));
    // Job 1 has ended, but caches may hide its writes.
    ranges.add({60, 61}, {70, 71}, 2, 1, 0);
    CHECK(ranges.needed({25, 26}, {40, 50}, 2).seen == 1);
    CHECK(ranges.needed({40, 50}, {5, 6}, 2).done == 0);
    for (uint64_t job = 3; job < 40; ++job)
        ranges.add({1000 * job, 1000 * job + 1}, {1000 * job + 2, 1000 * job + 3}, job, 0, 0);
    CHECK(ranges.needed({}, {}, 39).seen == 39);  // too many to remember
}
