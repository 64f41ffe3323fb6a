// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/liveness.h"

#include <algorithm>

#include "drivers/mali/compiler/allocate.h"

namespace terrazzo::mali::compiler {

namespace {

bool test(const Bits& b, uint32_t w) {
    return b[w / 64] >> (w % 64) & 1;
}
void put(Bits& b, uint32_t w) {
    b[w / 64] |= 1ull << (w % 64);
}
void drop(Bits& b, uint32_t w) {
    b[w / 64] &= ~(1ull << (w % 64));
}

bool has_effect(const Inst& i) {
    const isa::OpInfo& row = i.proto.info();
    if (i.is_branch() || row.is(isa::kKills) || row.is(isa::kWritesMemory)) return true;
    if (i.dest != kNoWord) return i.dest < kRegisterWords;
    if (i.written_count) return i.written < kRegisterWords;
    return true;
}

}  // namespace

std::pmr::vector<Bits> live_out(const Function& f) {
    const size_t n = (f.words() + 63) / 64;
    std::pmr::vector<Bits> in(f.blocks.size(), Bits(n, 0, f.memory), f.memory), out = in;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t b = f.blocks.size(); b-- > 0;) {
            Bits live(n, 0, f.memory);
            for (int32_t next : f.blocks[b].next)
                for (size_t k = 0; next >= 0 && k < n; k++)
                    live[k] |= in[size_t(next)][k];
            out[b] = live;
            const auto& insts = f.blocks[b].insts;
            for (size_t i = insts.size(); i-- > 0;) {
                for_each_write(insts[i], [&](uint32_t w, unsigned count) {
                    for (unsigned k = 0; k < count; k++)
                        drop(live, w + k);
                });
                for_each_read(insts[i], [&](uint32_t w, unsigned count) {
                    for (unsigned k = 0; k < count; k++)
                        put(live, w + k);
                });
            }
            if (live != in[b]) {
                in[b] = live;
                changed = true;
            }
        }
    }
    return out;
}

void remove_dead(Function& f) {
    for (bool changed = true; changed;) {
        changed = false;
        const std::pmr::vector<Bits> out = live_out(f);
        for (size_t b = 0; b < f.blocks.size(); b++) {
            Bits live = out[b];
            auto& insts = f.blocks[b].insts;
            for (size_t i = insts.size(); i-- > 0;) {
                bool wanted = has_effect(insts[i]);
                for_each_write(insts[i], [&](uint32_t w, unsigned count) {
                    for (unsigned k = 0; k < count; k++)
                        wanted |= test(live, w + k);
                });
                if (!wanted) {
                    insts.erase(insts.begin() + ptrdiff_t(i));
                    changed = true;
                    continue;
                }
                for_each_write(insts[i], [&](uint32_t w, unsigned count) {
                    for (unsigned k = 0; k < count; k++)
                        drop(live, w + k);
                });
                for_each_read(insts[i], [&](uint32_t w, unsigned count) {
                    for (unsigned k = 0; k < count; k++)
                        put(live, w + k);
                });
            }
        }
    }
}

std::pmr::vector<Ranges> live_ranges(const Function& f) {
    const std::pmr::vector<Bits> out = live_out(f);
    std::pmr::vector<Ranges> ranges(f.words(), Ranges(f.memory), f.memory);
    uint32_t end = 0;
    for (const Block& b : f.blocks)
        end += 2 * uint32_t(b.insts.size());
    // From the last place to the first: ranges come out in reverse.
    const auto add = [&](uint32_t w, uint32_t from, uint32_t to) {
        Ranges& r = ranges[w];
        if (!r.empty() && r.back().begin <= to)
            r.back().begin = std::min(r.back().begin, from);
        else
            r.push_back({from, to});
    };
    std::pmr::vector<uint32_t> until(f.words(), 0, f.memory);
    for (size_t b = f.blocks.size(); b-- > 0;) {
        const auto& insts = f.blocks[b].insts;
        const uint32_t start = end - 2 * uint32_t(insts.size());
        Bits live = out[b];
        for (uint32_t w = 0; w < f.words(); w++)
            if (test(live, w)) until[w] = end;
        uint32_t at = end;
        for (size_t i = insts.size(); i-- > 0;) {
            at -= 2;
            // Textures read and write registers at the same time.
            const bool early = insts[i].read_count && insts[i].written_count;
            for (uint32_t w = 0; insts[i].calls && w < kRegisterWords; w++) {
                if (!(kClobbered >> w & 1)) continue;
                add(w, at + 1, at + 2);
                drop(live, w);
            }
            for_each_write(insts[i], [&](uint32_t w, unsigned count) {
                for (unsigned k = 0; k < count; k++) {
                    add(w + k, early ? at : at + 1, test(live, w + k) ? until[w + k] : at + 2);
                    drop(live, w + k);
                }
            });
            for_each_read(insts[i], [&](uint32_t w, unsigned count) {
                for (unsigned k = 0; k < count; k++) {
                    if (test(live, w + k)) continue;
                    put(live, w + k);
                    until[w + k] = at + 1;
                }
            });
        }
        for (uint32_t w = 0; w < f.words(); w++)
            if (test(live, w)) add(w, start, until[w]);
        end = start;
    }
    for (Ranges& r : ranges)
        std::reverse(r.begin(), r.end());
    return ranges;
}

}  // namespace terrazzo::mali::compiler
