// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small long-lived memory (descriptors, code): pieces of larger objects.
#pragma once

#include "drivers/common/memory/bo.h"

namespace terrazzo::memory {

struct Slab;

/// A piece of a Bo from Device::create_block; freed by the destructor. Work that reads it must hold its owner
/// (a view, a program). Thread: one at a time; blocks of one slab may be freed on different threads.
class Block {
  public:
    Block() = default;
    Block(Block&& o) noexcept { *this = static_cast<Block&&>(o); }
    Block& operator=(Block&& o) noexcept;
    ~Block() { reset(); }
    void reset();

    uint64_t va = 0;
    uint8_t* cpu = nullptr;
    uint32_t size_B = 0;
    Bo* bo = nullptr;  // the object that contains it (for uses: executable blocks are never waited for)
    explicit operator bool() const { return cpu; }

  private:
    friend class Device;
    pipe::Ref<Device> device_;
    Slab* slab_ = nullptr;
};

}  // namespace terrazzo::memory
