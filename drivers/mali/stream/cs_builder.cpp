// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/stream/cs_builder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace terrazzo::mali {
namespace {

// Small streams, such as a fragment queue's, have a few hundred bytes, large ones hundreds of KiB.
constexpr size_t kLargestChunkWords = 16384 / 8;
constexpr uint32_t kStreamAlign_B = 64;

uint64_t move48(unsigned r, uint64_t value) {
    return hw::pack64(hw::CsMove{.immediate = value, .destination = r});
}

}  // namespace

void CsBuilder::begin() {
    at_ = end_ = chunk_ = length_of_chunk_ = nullptr;
    emitted_words_ = 0;
    root_ = {};
    depth_ = 0;
    next_chunk_words_ = kFirstChunkWords;
    forget_registers();
    checks_ = {};
}

void CsBuilder::report(const char* problem, uint64_t word) {
    if (!problem) return;
    std::fprintf(stderr, "terrazzo: mali: command 0x%016llx: %s\n", static_cast<unsigned long long>(word),
                 problem);
    std::abort();
}

/// Writes the length of the full chunk into the jump to it. The first chunk's length is the stream's.
void CsBuilder::end_chunk_length(size_t words) {
    const uint32_t length_B = uint32_t(words * 8);
    if (length_of_chunk_)
        *length_of_chunk_ = hw::pack64(hw::CsMove32{.immediate = length_B, .destination = kJumpRegister + 2});
    else
        root_.size_B = length_B;
}

void CsBuilder::open_chunk(size_t words) {
    const size_t size = std::max(next_chunk_words_, words + kJumpWords);
    const Pool::Piece piece = pool_.allocate(uint32_t(size * 8), kStreamAlign_B);
    uint64_t* length_of_next = nullptr;
    if (chunk_) {
        at_[0] = move48(kJumpRegister, piece.va);
        length_of_next = at_ + 1;
        at_[2] = hw::pack64(hw::CsJump{.length = kJumpRegister + 2, .address = kJumpRegister});
        at_ += kJumpWords;
        end_chunk_length(size_t(at_ - chunk_));
        emitted_words_ += size_t(at_ - chunk_);
    } else {
        root_.va = piece.va;
    }
    chunk_ = reinterpret_cast<uint64_t*>(piece.cpu);
    at_ = chunk_;
    end_ = chunk_ + size - kJumpWords;
    length_of_chunk_ = length_of_next;
    next_chunk_words_ = std::min(2 * next_chunk_words_, kLargestChunkWords);
}

void CsBuilder::make_room() {
    if (depth_ == 0) {
        open_chunk(1);
        return;
    }
    const size_t used = position();
    staging_.resize(std::max<size_t>(256, 2 * staging_.size()));
    at_ = staging_.data() + used;
    end_ = staging_.data() + staging_.size();
}

Stream CsBuilder::finish() {
    assert(depth_ == 0 && "a stream ends outside of blocks");
    if (chunk_) end_chunk_length(size_t(at_ - chunk_));
    const Stream stream = root_;
    begin();
    return stream;
}

// ---- Blocks ----

CsBuilder::State CsBuilder::enter_block() {
    if (depth_++ == 0) {
        outer_at_ = at_;
        outer_end_ = end_;
        at_ = staging_.data();
        end_ = at_ + staging_.size();
    }
    return {shadow_, slots_, checks_};
}

void CsBuilder::leave_block() {
    if (--depth_ != 0) return;
    const size_t words = position();
    at_ = outer_at_;
    end_ = outer_end_;
    if (size_t(end_ - at_) < words) open_chunk(words);
    std::memcpy(at_, staging_.data(), words * 8);
    at_ += words;
}

void CsBuilder::join(const State& other) {
    for (unsigned r = 0; r < kRegisters; r++)
        if (shadow_[r] != other.shadow[r]) shadow_[r] = kUnknown;
    if (slots_ != other.slots) slots_ = kUnknownSlots;
    checks_.join(other.checks);
}

size_t CsBuilder::reserve_branch() {
    put(hw::pack64(hw::CsNop{}));
    return position() - 1;
}

void CsBuilder::patch_branch(size_t at, hw::CsCondition condition, unsigned r, size_t target) {
    const auto offset = int64_t(target) - int64_t(at) - 1;
    assert(offset >= INT16_MIN && offset <= INT16_MAX && "a branch reaches 32767 instructions");
    staging_[at] = hw::pack64(hw::CsBranch{.offset = int32_t(offset), .condition = condition, .value = r});
    check(staging_[at]);
}

hw::CsCondition CsBuilder::inverse(hw::CsCondition condition) {
    switch (condition) {
        case hw::CsCondition::Lequal:
            return hw::CsCondition::Greater;
        case hw::CsCondition::Greater:
            return hw::CsCondition::Lequal;
        case hw::CsCondition::Equal:
            return hw::CsCondition::Nequal;
        case hw::CsCondition::Nequal:
            return hw::CsCondition::Equal;
        case hw::CsCondition::Less:
            return hw::CsCondition::Gequal;
        case hw::CsCondition::Gequal:
            return hw::CsCondition::Less;
        case hw::CsCondition::Always:
            break;
    }
    assert(false && "a block that is always entered needs no branch");
    std::abort();
}

}  // namespace terrazzo::mali
