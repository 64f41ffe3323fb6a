// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/submission/sample_count.h"

#include <algorithm>
#include <new>

#include "drivers/common/memory/device.h"

namespace terrazzo::submission {

void SampleCount::begin(memory::Device& device, uint32_t size_B) {
    auto m = pipe::Ref<CountMemory>::adopt(new CountMemory);
    m->block = device.create_block(size_B, 64);
    if (!m->block) throw std::bad_alloc();
    std::fill_n(m->block.cpu, size_B, uint8_t(0));
    memory_ = std::move(m);
    point_ = kOpen;
}

bool SampleCount::result(memory::Timeline& timeline, bool wait, uint32_t numbers, pipe::QueryKind kind,
                         uint64_t* out) const {
    if (point_ && timeline.wait(point_, wait ? ~uint64_t(0) : 0) == memory::WaitResult::Timeout) return false;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < numbers; ++i)
        sum += reinterpret_cast<const volatile uint64_t*>(memory_->block.cpu)[i];
    const bool any = kind == pipe::QueryKind::AnySamples || kind == pipe::QueryKind::AnySamplesConservative;
    *out = any ? sum != 0 : sum;
    return true;
}

}  // namespace terrazzo::submission
