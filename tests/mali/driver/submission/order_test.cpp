// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The queues' order (Recorder) if passes are drawn in parts; tests/pipe_conformance has the same work for
// complete passes.
#include "tests/common/random_work.h"
#include "tests/mali/driver/scene.h"

namespace terrazzo::test {

TEST_CASE("order: random work of all queues gives the CPU's result if passes are drawn in parts") {
    for (unsigned seed = 0; seed < 8; ++seed) {
        CAPTURE(seed);
        MaliScene gpu(work::kSide_px, work::kSide_px, "sim:mali-g610", pipe::Format::None,
                      {.chunk_B = 128 << 10, .initial_chunks = 1, .max_chunks = 1});
        work::compare(gpu, seed, 400);
        CHECK(gpu.messages == "");
    }
}

TEST_CASE("order: if two contexts record work on an image, the later job's number is kept") {
    // A job gets its number when it begins, and the number is stored when it ends.
    mali::LastJobs jobs;
    jobs.note_written(size_t(mali::QueueKind::Compute), 100);
    jobs.note_written(size_t(mali::QueueKind::Compute), 95);
    jobs.note_read(size_t(mali::QueueKind::Fragment), 90);
    jobs.note_read(size_t(mali::QueueKind::Fragment), 80);
    mali::Needs needs;
    needs.reads(jobs);
    CHECK(needs.done[unsigned(mali::QueueKind::Compute)] == 100);
    CHECK(needs.seen[unsigned(mali::QueueKind::Compute)] == 100);
    CHECK(needs.done[unsigned(mali::QueueKind::Fragment)] == 0);
    needs.writes(jobs);
    CHECK(needs.done[unsigned(mali::QueueKind::Fragment)] == 90);
}

}  // namespace terrazzo::test
