// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How blocks run. A vendor's program prepares each of its blocks once, when it is decoded, and keeps what it
// gets:
//
//     std::shared_ptr<BlockCode> code = block_cache().prepare(std::move(block));
//     code->run(state);  // as often as it is reached
//
// A block is interpreted until it has run for kGroupsBeforeTranslation groups of lanes. Then the thread that
// runs it translates it, for all threads. Blocks with the same micro-operations are one BlockCode, whichever
// worker, core or program prepared them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "drivers/common/core/micro.h"
#include "drivers/common/core/translate.h"

namespace terrazzo::core {

/// Translating takes as long as interpreting this many groups takes, roughly.
inline constexpr uint32_t kGroupsBeforeTranslation = 64;
/// Machine code of all blocks of a cache. Where it is used up, blocks stay interpreted.
inline constexpr size_t kMostCode_B = size_t(64) << 20;
/// Blocks that a cache knows. Further ones are not shared.
inline constexpr size_t kMostBlocks = 1 << 16;

/// The machine code that the blocks of a cache have. A block may outlive its cache.
struct CodeBudget {
    size_t most_B = kMostCode_B;
    std::atomic<size_t> used_B = 0;
};

/// A block and, once it has run often, its translation. Destroyed with the last program that has it and the
/// cache's own reference, so code is never dropped while it may run.
class BlockCode {
  public:
    BlockCode(MicroBlock block, std::shared_ptr<CodeBudget> budget);
    ~BlockCode();
    BlockCode(const BlockCode&) = delete;
    BlockCode& operator=(const BlockCode&) = delete;

    /// Any number of threads at a time, each with lanes of its own.
    void run(const LaneState& state) {
        if (const Translation* t = translation_.load(std::memory_order_acquire))
            t->run(state);
        else
            run_cold(state);
    }
    [[nodiscard]] const MicroBlock& block() const { return block_; }
    [[nodiscard]] bool is_translated() const { return translation_.load(std::memory_order_acquire); }

  private:
    void run_cold(const LaneState& state);
    void heat_up(unsigned groups);

    const MicroBlock block_;
    const std::shared_ptr<CodeBudget> budget_;
    std::atomic<const Translation*> translation_ = nullptr;
    std::atomic<uint32_t> groups_run_ = 0;  // threads may lose counts to each other
    std::atomic<bool> tried_ = false;       // one thread translates, once
};

/// Blocks by content. Callable from any thread; only prepare() locks.
class BlockCache {
  public:
    explicit BlockCache(size_t most_code_B = kMostCode_B, size_t most_blocks = kMostBlocks);
    /// Never null. The block is optimised (optimise.h).
    std::shared_ptr<BlockCode> prepare(MicroBlock block);

    [[nodiscard]] size_t code_B() const { return budget_->used_B.load(std::memory_order_relaxed); }
    [[nodiscard]] size_t block_count() const;

  private:
    void drop_unused();

    const std::shared_ptr<CodeBudget> budget_;
    const size_t most_blocks_;
    mutable std::mutex mutex_;
    std::unordered_multimap<uint64_t, std::shared_ptr<BlockCode>> blocks_;  // by hash
};

/// The process' cache. A forked child has one of its own, since a lock of the parent's may be held in it for
/// ever; code that was made before the fork still runs.
BlockCache& block_cache();

}  // namespace terrazzo::core
