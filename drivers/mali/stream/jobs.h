// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The queues of a context, command streams, and the numbers of jobs, with which jobs of one queue wait for
// those of another.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace terrazzo::mali {

enum class QueueKind : uint8_t { VertexTiler, Fragment, Compute };
inline constexpr unsigned kQueueCount = 3;

/// A command stream in GPU memory. Size 0: no work for the queue.
struct Stream {
    uint64_t va = 0;
    uint32_t size_B = 0;
};

/// The last jobs that used an image, as a number (Recorder::next_job) for each queue; 0: none. A read by a
/// vertex job counts as one by the fragment job of its pass. Several contexts can record at the same time,
/// and numbers are unique in the process: the greatest one is kept, and each context waits for its own jobs
/// up to that number.
struct LastJobs {
    std::array<std::atomic<uint64_t>, kQueueCount> read{}, written{};
    void note_read(QueueKind q, uint64_t job) { note(&read[unsigned(q)], job); }
    void note_written(QueueKind q, uint64_t job) { note(&written[unsigned(q)], job); }
    [[nodiscard]] bool is_written(QueueKind q) const {
        return written[unsigned(q)].load(std::memory_order_relaxed) != 0;
    }

  private:
    static void note(std::atomic<uint64_t>* last, uint64_t job) {
        uint64_t before = last->load(std::memory_order_relaxed);
        while (before < job && !last->compare_exchange_weak(before, job, std::memory_order_relaxed)) {
        }
    }
};

using JobNumbers = std::array<uint64_t, kQueueCount>;
/// The jobs that must be complete before work begins.
struct Needs {
    JobNumbers done{}, seen{};  // done: they have ended; seen: what they wrote must be visible
    void reads(const LastJobs& jobs) { take(jobs.written, true); }
    void writes(const LastJobs& jobs) {
        take(jobs.written, false);
        take(jobs.read, false);
    }

  private:
    void take(const std::array<std::atomic<uint64_t>, kQueueCount>& jobs, bool sees) {
        for (unsigned q = 0; q < kQueueCount; ++q) {
            const uint64_t job = jobs[q].load(std::memory_order_relaxed);
            done[q] = std::max(done[q], job);
            if (sees) seen[q] = std::max(seen[q], job);
        }
    }
};

}  // namespace terrazzo::mali
