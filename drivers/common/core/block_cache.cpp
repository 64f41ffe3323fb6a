// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/core/block_cache.h"

#include <unistd.h>

#include <utility>

#include "drivers/common/core/hash.h"
#include "drivers/common/core/optimise.h"

namespace terrazzo::core {

namespace {

uint64_t hash_of(const MicroBlock& block) {
    uint64_t hash = mix_hash(mix_hash(block.temporaries, block.row_groups), block.group_distance);
    for (const MicroInstr& i : block.code)
        hash = mix_hash(mix_hash(hash, i), i.to);
    return hash;
}

}  // namespace

BlockCode::BlockCode(MicroBlock block, std::shared_ptr<CodeBudget> budget)
    : block_(std::move(block)), budget_(std::move(budget)) {}

BlockCode::~BlockCode() {
    const Translation* const t = translation_.load(std::memory_order_acquire);
    if (!t) return;
    budget_->used_B.fetch_sub(t->size_B(), std::memory_order_relaxed);
    delete t;
}

void BlockCode::run_cold(const LaneState& state) {
    interpret(block_, state);
    if (!tried_.load(std::memory_order_relaxed)) heat_up(state.groups);
}

void BlockCode::heat_up(unsigned groups) {
    const uint32_t run = groups_run_.load(std::memory_order_relaxed) + groups;
    groups_run_.store(run, std::memory_order_relaxed);
    if (run < kGroupsBeforeTranslation || tried_.exchange(true, std::memory_order_relaxed)) return;
    if (!can_translate() || budget_->used_B.load(std::memory_order_relaxed) >= budget_->most_B) return;
    std::unique_ptr<Translation> t = translate(block_);
    if (!t) return;
    budget_->used_B.fetch_add(t->size_B(), std::memory_order_relaxed);
    translation_.store(t.release(), std::memory_order_release);
}

BlockCache::BlockCache(size_t most_code_B, size_t most_blocks)
    : budget_(std::make_shared<CodeBudget>()), most_blocks_(most_blocks) {
    budget_->most_B = most_code_B;
}

std::shared_ptr<BlockCode> BlockCache::prepare(MicroBlock block) {
    optimise(&block);
    const uint64_t hash = hash_of(block);
    const std::lock_guard lock(mutex_);
    for (auto [at, end] = blocks_.equal_range(hash); at != end; ++at)
        if (at->second->block() == block) return at->second;
    if (blocks_.size() >= most_blocks_ || code_B() >= budget_->most_B) drop_unused();
    auto code = std::make_shared<BlockCode>(std::move(block), budget_);
    if (blocks_.size() < most_blocks_) blocks_.emplace(hash, code);
    return code;
}

size_t BlockCache::block_count() const {
    const std::lock_guard lock(mutex_);
    return blocks_.size();
}

/// No thread gets a reference while this one has the lock. A block that only the cache refers to does not
/// run.
void BlockCache::drop_unused() {
    std::erase_if(blocks_, [](const auto& entry) { return entry.second.use_count() == 1; });
}

BlockCache& block_cache() {
    struct Cache {
        const pid_t process = getpid();
        BlockCache blocks;
    };
    // Never destroyed: threads may still draw while the process ends.
    static std::atomic<Cache*> cache = new Cache;
    Cache* seen = cache.load(std::memory_order_acquire);
    if (seen->process == getpid()) return seen->blocks;
    auto own = std::make_unique<Cache>();
    if (!cache.compare_exchange_strong(seen, own.get(), std::memory_order_acq_rel)) return seen->blocks;
    return own.release()->blocks;
}

}  // namespace terrazzo::core
