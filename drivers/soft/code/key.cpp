// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CPU: the feature leaves of CPUID (Intel SDM volume 2, "CPUID"; AMD APM volume 3, appendix E) or Linux'
// hardware capabilities.
#include "drivers/soft/code/key.h"

#include <sys/auxv.h>

#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace terrazzo::soft {

namespace {

std::vector<uint32_t> cpu_words() {
    std::vector<uint32_t> words;
#if defined(__x86_64__)
    const auto leaf = [&](uint32_t n, uint32_t sub, bool with_b) {
        uint32_t a = 0, b = 0, c = 0, d = 0;
        __get_cpuid_count(n, sub, &a, &b, &c, &d);
        for (uint32_t w : {a, with_b ? b : 0, c, d})
            words.push_back(w);
    };
    leaf(0, 0, true);
    leaf(1, 0, false);  // without ebx, which has the core's number
    leaf(7, 0, true);
    leaf(7, 1, true);
    leaf(0x80000001, 0, true);
    if (__builtin_cpu_supports("avx")) {  // the register state that the system saves
        uint32_t low, high;
        __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
        for (uint32_t w : {low, high})
            words.push_back(w);
    }
#endif
    for (unsigned long v : {getauxval(AT_HWCAP), getauxval(AT_HWCAP2)})
        for (uint32_t w : {uint32_t(v), uint32_t(uint64_t(v) >> 32)})
            words.push_back(w);
    return words;
}

}  // namespace

shaders::CacheKey code_key(const ir::ContentHash& hash, std::string_view maker) {
    // CPUID is slow in a virtual machine: every query traps to the host.
    static const std::vector<uint32_t>* const kCpu = new std::vector<uint32_t>(cpu_words());
    const auto* const cpu_bytes = reinterpret_cast<const uint8_t*>(kCpu->data());
    const std::span<const uint8_t> parts[] = {{reinterpret_cast<const uint8_t*>(maker.data()), maker.size()},
                                              {cpu_bytes, kCpu->size() * sizeof(uint32_t)},
                                              hash};
    return shaders::CacheKey::of(parts);
}

}  // namespace terrazzo::soft
