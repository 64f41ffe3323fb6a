// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Nodes that live long and are seldom touched go to the thread's own memory: each write is followed by a
// store, each read comes after a load, into nodes that live for that one instruction.
#include <algorithm>

#include "drivers/common/backend/liveness.h"
#include "drivers/mali/compiler/allocate.h"

namespace terrazzo::mali::compiler {

namespace {

constexpr uint32_t kMaxOffset_B = 0x7ff0;

/// How often a block runs, as a guess.
std::pmr::vector<uint32_t> weights(const Function& f) {
    constexpr uint32_t kTurns = 8, kMost = 1u << 15;
    std::pmr::vector<uint32_t> out(f.blocks.size(), 1, f.memory);
    for (size_t b = 0; b < f.blocks.size(); b++)
        for (int32_t to : f.blocks[b].next)
            for (size_t k = to >= 0 ? size_t(to) : b + 1; k <= b; k++)
                out[k] = std::min(out[k] * kTurns, kMost);
    return out;
}

class Spiller {
  public:
    Spiller(Function& f, uint32_t node) : f_(f), node_(f.nodes[node]), at_B_(f.add_local(node_.count)) {
        f_.spilled_words += node_.count;
    }
    void rewrite(Block& b) {
        std::pmr::vector<Inst> out(f_.memory);
        for (Inst i : b.insts) {
            load_reads(i, out);
            std::pmr::vector<Inst> after(f_.memory);
            if (mine(i.dest)) i.dest = stored(i.dest, 1, after);
            if (i.written_count && mine(i.written)) i.written = stored(i.written, i.written_count, after);
            out.push_back(i);
            out.insert(out.end(), after.begin(), after.end());
        }
        b.insts = std::move(out);
    }

  private:
    [[nodiscard]] bool mine(uint32_t word) const { return word - node_.first < node_.count; }
    isa::Slot slot() { return isa::Slot(slots_++ % 3); }
    /// No access goes over a multiple of 16 bytes.
    void access(bool store, uint32_t temporary, uint32_t word, unsigned count, std::pmr::vector<Inst>& out) {
        for (unsigned done = 0; done < count;) {
            const uint32_t at_B = at_B_ + (word - node_.first + done) * 4;
            const unsigned n = std::min(count - done, (16 - at_B % 16) / 4);
            out.push_back(local_access(store, temporary + done, n, at_B, slot()));
            done += n;
        }
    }
    uint32_t stored(uint32_t word, unsigned count, std::pmr::vector<Inst>& out) {
        const uint32_t temporary = f_.add_node(count, true);
        access(true, temporary, word, count, out);
        return temporary;
    }
    void load_reads(Inst& i, std::pmr::vector<Inst>& out) {
        const isa::OpInfo& row = i.proto.info();
        uint32_t known[isa::OpInfo::kMaxSources][3];  // word, count, temporary
        unsigned n_known = 0;
        for (unsigned n = 0; n < row.source_count; n++) {
            Ref& r = i.src[n];
            if (r.kind != Ref::Kind::Word || !mine(r.index)) continue;
            const unsigned count =
                row.source_rows[n].size == 64 && r.swizzle == isa::Swizzle::kNone ? 2u : 1u;
            uint32_t temporary = kNoWord;
            for (unsigned k = 0; k < n_known; k++)
                if (known[k][0] == r.index && known[k][1] == count) temporary = known[k][2];
            if (temporary == kNoWord) {
                temporary = f_.add_node(count, true);
                access(false, temporary, r.index, count, out);
                known[n_known][0] = r.index;
                known[n_known][1] = count;
                known[n_known++][2] = temporary;
            }
            r.index = temporary;
        }
        if (!i.read_count || !mine(i.read)) return;
        const uint32_t temporary = f_.add_node(i.read_count, true);
        access(false, temporary, i.read, i.read_count, out);
        i.read = temporary;
    }

    Function& f_;
    const Function::Node node_;
    const uint32_t at_B_;
    unsigned slots_ = 0;
};

}  // namespace

bool spill_at(Function& f, uint32_t place) {
    constexpr unsigned kAtOnce = 4;
    struct Choice {
        uint32_t node;
        double worth;
    };
    f.link();
    const std::pmr::vector<backend::Ranges> live = backend::live_ranges(f);
    const std::pmr::vector<uint32_t> weight = weights(f);
    std::pmr::vector<uint64_t> cost(f.nodes.size(), 0, f.memory);
    for (size_t b = 0; b < f.blocks.size(); b++)
        for (const Inst& i : f.blocks[b].insts) {
            const auto add = [&](uint32_t w, unsigned) { cost[f.node_of[w]] += weight[b]; };
            for_each_read(i, add);
            for_each_write(i, add);
        }
    std::pmr::vector<Choice> choices(f.memory);
    for (uint32_t n = kRegisterWords; n < f.nodes.size(); n++) {
        const Function::Node& node = f.nodes[n];
        if (node.temporary || !cost[n]) continue;
        uint64_t length = 0;
        bool there = false;
        for (uint32_t w = node.first; w < node.first + node.count; w++)
            for (const backend::Range& r : live[w]) {
                length += r.end - r.begin;
                there |= r.begin <= place && place < r.end;
            }
        if (there) choices.push_back({n, double(length) / double(cost[n])});
    }
    std::sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
        return a.worth != b.worth ? a.worth > b.worth : a.node < b.node;
    });
    if (choices.empty()) return false;
    for (size_t k = 0; k < std::min<size_t>(choices.size(), kAtOnce); k++) {
        if (f.local_B + 16 * 8 > kMaxOffset_B) return false;
        Spiller s(f, choices[k].node);
        for (Block& b : f.blocks)
            s.rewrite(b);
    }
    return true;
}

}  // namespace terrazzo::mali::compiler
