// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/cp/protect.h"

#include <algorithm>
#include <array>
#include <span>

#include "drivers/adreno/hw/registers.h"

namespace terrazzo::adreno::sim {

namespace {

/// Registers first to first + more. Linux also lists numbers above 16 bits, which are left out: the tables
/// have no such registers.
struct Range {
    uint32_t first, more;
    RegisterUse use;
};
constexpr RegisterUse kRead = RegisterUse::ReadOnly, kNone = RegisterUse::Protected;

// The same in all lists.
constexpr Range kCommon[] = {
    {0x0000, 0x4ff, kRead}, {0x0501, 5, kRead},     {0x050b, 0x2f4, kRead}, {0x050e, 0, kNone},
    {0x0510, 0, kNone},     {0x0534, 0, kNone},     {0x0800, 0x82, kNone},  {0x08a0, 8, kNone},
    {0x08ab, 0x24, kNone},  {0x08de, 0xae, kRead},  {0x0900, 0x4d, kNone},  {0x098d, 0x272, kNone},
    {0x0e00, 1, kNone},     {0x0e03, 0x0c, kNone},  {0x3c00, 0xc3, kNone},  {0x3cc4, 0x1fff, kRead},
    {0x8630, 0x1cf, kNone}, {0x8e00, 0, kNone},     {0x8e08, 0, kNone},     {0x8e50, 0x1f, kNone},
    {0x9624, 0x1db, kNone}, {0x9e78, 0x187, kNone}, {0xa630, 0x1cf, kNone}, {0xae02, 0, kNone},
    {0xb604, 0, kNone},     {0xbe02, 1, kNone},     {0xf000, 0xbff, kNone}, {0xfc00, 0x3ff, kRead},
};
constexpr Range k630[] = {{0x9e70, 1, kNone}, {0xae50, 0x32f, kNone}, {0xbe20, 0x17df, kNone}};
constexpr Range k650[] = {{0x8e80, 0x27f, kNone},
                          {0x9e60, 0x11, kNone},
                          {0xae50, 0x32f, kNone},
                          {0xb608, 7, kNone},
                          {0xbe20, 0x17df, kNone}};
constexpr Range k660[] = {{0x8e80, 0x27f, kNone}, {0x9e60, 0x11, kNone},  {0xae50, 0x12f, kNone},
                          {0xb608, 6, kNone},     {0xbe20, 0x15f, kNone}, {0xd000, 0x5ff, kNone}};

/// In no table, but freedreno of 2019 wrote it (the recording fd-clouds in Mesa 25.0.7,
/// src/freedreno/.gitlab-ci/traces).
constexpr uint32_t kOfOldDrivers[] = {0x9990};

using Uses = std::array<RegisterUse, RegisterAccess::kCount>;

std::unique_ptr<const Uses> uses_with(std::span<const Range> own) {
    auto uses = std::make_unique<Uses>();
    for (uint32_t reg = 0; reg < RegisterAccess::kCount; ++reg)
        (*uses)[reg] = hw::find_register(uint16_t(reg)).row ? RegisterUse::Free : RegisterUse::Unknown;
    for (const uint32_t reg : kOfOldDrivers)
        (*uses)[reg] = RegisterUse::Free;
    // The stricter one of two ranges applies.
    for (const std::span<const Range> ranges : {std::span<const Range>(kCommon), own})
        for (const Range& range : ranges)
            for (uint32_t reg = range.first; reg <= range.first + range.more; ++reg)
                if ((*uses)[reg] != RegisterUse::Protected) (*uses)[reg] = range.use;
    return uses;
}

const Uses& uses_of(unsigned generation) {
    if (generation <= 2) {
        static const auto early = uses_with(k630);
        return *early;
    }
    if (generation == 3) {
        static const auto third = uses_with(k650);
        return *third;
    }
    static const auto fourth = uses_with(k660);
    return *fourth;
}

}  // namespace

RegisterAccess::RegisterAccess(const hw::Chip& chip) : uses_(uses_of(chip.generation.number).data()) {}

}  // namespace terrazzo::adreno::sim
