// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// List scheduling from the top, block by block, between instructions that nothing passes (the end of a
// fragment's life, branches). What is ready and has the longest way to the end goes first; where more words
// live than the budget allows, what frees most. Ties go by the order that selection gave.
#include "drivers/mali/compiler/schedule.h"

#include <algorithm>

#include "drivers/common/backend/liveness.h"
#include "drivers/mali/compiler/timing.h"

namespace terrazzo::mali::compiler {

using isa::Message;
using isa::Op;

namespace {

/// A load at the pixel's centre leaves the interpolation position where the next such load finds it: which of
/// several is first does not matter (name_positions).
bool at_centre(const isa::Instr& i) {
    return i.op == Op::kLdVarBufImmF32 && i.sample() == isa::SampleMode::kCenter &&
           i.update() != isa::UpdateMode::kClobber;
}

/// Memory has addresses of 64 bits.
bool is_uniform(const Inst& i) {
    return i.proto.info().source_rows[0].size != 64;
}

bool is_fence(const Inst& i) {
    if (i.calls || i.is_branch() || i.also_read_count) return true;
    switch (i.proto.info().message) {
        case Message::kBarrier:
        case Message::kBlend:
        case Message::kTile:
        case Message::kAlphaTest:
        case Message::kDepthStencil:
        case Message::kAtomic:
            return true;
        default:
            return i.proto.info().is(isa::kBranches);
    }
}

class Scheduler {
  public:
    Scheduler(Function& f, unsigned budget)
        : f_(f),
          budget_(int(budget)),
          live_out_(backend::live_out(f)),
          writer_(f.words(), kNone, f.memory),
          readers_(f.words(), kNone, f.memory),
          reads_left_(f.words(), 0, f.memory),
          live_(f.words(), 0, f.memory),
          nodes_(f.memory),
          edges_(f.memory),
          reader_links_(f.memory),
          ready_(f.memory),
          out_(f.memory) {}

    void run() {
        for (size_t b = 0; b < f_.blocks.size(); b++)
            block(b);
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    /// Instructions that are ordered among themselves, at most: the choice looks at all that are ready.
    static constexpr size_t kMaxSegment = 1024;
    struct Node {
        uint32_t waits_for = 0;  // nodes before it that are not placed
        uint32_t edges = kNone;
        uint32_t path_clk = 0;  // from its issue to the end
        uint32_t at_clk = 0;    // when all that it needs is there
    };
    struct Edge {
        uint32_t to, next, clk;
    };
    struct Link {
        uint32_t node, next;
    };

    void block(size_t b) {
        std::pmr::vector<Inst>& insts = f_.blocks[b].insts;
        if (insts.size() < 3) return;
        count_uses(b);
        out_.clear();
        for (size_t at = 0; at < insts.size();) {
            size_t end = at;
            while (end < insts.size() && end - at < kMaxSegment && !is_fence(insts[end]))
                end++;
            segment(insts.data() + at, uint32_t(end - at));
            if (end < insts.size()) place(insts[end++]);
            at = end;
        }
        insts.swap(out_);
        name_positions(insts);
    }

    /// What is live where the block begins, and how often each word is read in it.
    void count_uses(size_t b) {
        const auto& insts = f_.blocks[b].insts;
        pressure_ = 0;
        for (uint32_t w = 0; w < f_.words(); w++) {
            reads_left_[w] = live_out_[b][w / 64] >> (w % 64) & 1;
            live_[w] = uint8_t(reads_left_[w]);
        }
        for (size_t i = insts.size(); i-- > 0;) {
            for_each_write(insts[i], [&](uint32_t w, unsigned count) {
                for (unsigned k = 0; k < count; k++)
                    live_[w + k] = 0;
            });
            for_each_read(insts[i], [&](uint32_t w, unsigned count) {
                for (unsigned k = 0; k < count; k++) {
                    live_[w + k] = 1;
                    reads_left_[w + k]++;
                }
            });
        }
        for (uint32_t w = 0; w < f_.words(); w++)
            pressure_ += live_[w];
    }

    // ---- Dependences ----

    void edge(uint32_t from, uint32_t to, uint32_t clk) {
        if (from == kNone || from == to) return;
        edges_.push_back({to, nodes_[from].edges, clk});
        nodes_[from].edges = uint32_t(edges_.size() - 1);
        nodes_[to].waits_for++;
    }
    void depend_on_words(const Inst* insts, uint32_t n) {
        const Inst& i = insts[n];
        for_each_read(i, [&](uint32_t w, unsigned count) {
            for (unsigned k = 0; k < count; k++) {
                const uint32_t from = writer_[w + k];
                if (from != kNone) edge(from, n, latency_clk(insts[from].proto));
                reader_links_.push_back({n, readers_[w + k]});
                readers_[w + k] = uint32_t(reader_links_.size() - 1);
            }
        });
        for_each_write(i, [&](uint32_t w, unsigned count) {
            for (unsigned k = 0; k < count; k++) {
                edge(writer_[w + k], n, 1);
                for (uint32_t l = readers_[w + k]; l != kNone; l = reader_links_[l].next)
                    edge(reader_links_[l].node, n, 0);
                readers_[w + k] = kNone;
                writer_[w + k] = n;
            }
        });
    }
    /// Memory, the position of varyings, and threads that end.
    void depend_on_order(const Inst* insts, uint32_t n) {
        const Inst& i = insts[n];
        const isa::OpInfo& row = i.proto.info();
        const auto after_all_since = [&](uint32_t since, const auto& which) {
            for (uint32_t k = since == kNone ? 0 : since; k < n; k++)
                if (which(insts[k])) edge(k, n, 1);
        };
        const auto is_discard = [](const Inst& k) { return k.proto.info().is(isa::kKills); };
        // Uniform buffers are only read.
        if (row.message == Message::kStore || (row.message == Message::kLoad && !is_uniform(i))) {
            const bool store = row.message == Message::kStore;
            after_all_since(last_store_, [&](const Inst& k) {
                const Message m = k.proto.info().message;
                return k.local == i.local && (m == Message::kStore || (store && m == Message::kLoad));
            });
            if (store) last_store_ = n;
        }
        if (row.message == Message::kVarying || row.message == Message::kVaryingTexture) {
            const bool alone = !at_centre(i.proto);
            after_all_since(last_position_, [&](const Inst& k) {
                const bool varying = k.proto.info().message == Message::kVarying ||
                                     k.proto.info().message == Message::kVaryingTexture;
                return varying && (alone || !at_centre(k.proto));
            });
            if (alone) last_position_ = n;
        }
        // A thread that ended gives no neighbour a value.
        const bool quad = i.proto.op == Op::kClperI32 || row.message == Message::kTexture;
        if (quad) edge(last_discard_, n, 1);
        if (is_discard(i)) {
            after_all_since(last_discard_, [&](const Inst& k) {
                return k.proto.op == Op::kClperI32 || k.proto.info().message == Message::kTexture ||
                       k.proto.info().message == Message::kStore || is_discard(k);
            });
            last_discard_ = n;
        }
    }

    // ---- Choice ----

    /// By how many the words that live grow where `i` comes next.
    [[nodiscard]] int growth(const Inst& i) const {
        int grows = 0;
        for_each_write(i, [&](uint32_t w, unsigned count) {
            for (unsigned k = 0; k < count; k++)
                grows += !live_[w + k] && reads_left_[w + k];
        });
        for_each_read(i, [&](uint32_t w, unsigned count) {
            for (unsigned k = 0; k < count; k++)
                grows -= live_[w + k] && reads_left_[w + k] == 1;
        });
        return grows;
    }
    void place(const Inst& i) {
        for_each_read(i, [&](uint32_t w, unsigned count) {
            for (unsigned k = 0; k < count; k++)
                if (--reads_left_[w + k] == 0 && live_[w + k]) {
                    live_[w + k] = 0;
                    pressure_--;
                }
        });
        for_each_write(i, [&](uint32_t w, unsigned count) {
            for (unsigned k = 0; k < count; k++)
                if (!live_[w + k] && reads_left_[w + k]) {
                    live_[w + k] = 1;
                    pressure_++;
                }
        });
        now_clk_ += issue_clk(i.proto);
        out_.push_back(i);
    }
    /// Whether a is to go before b.
    [[nodiscard]] bool better(const Inst* insts, uint32_t a, uint32_t b) const {
        const int grow_a = growth(insts[a]), grow_b = growth(insts[b]);
        const bool fits_a = pressure_ + grow_a <= budget_ || grow_a <= 0,
                   fits_b = pressure_ + grow_b <= budget_ || grow_b <= 0;
        if (fits_a != fits_b) return fits_a;
        if (!fits_a && grow_a != grow_b) return grow_a < grow_b;
        const Node &x = nodes_[a], &y = nodes_[b];
        const uint32_t start_a = std::max(x.at_clk, now_clk_), start_b = std::max(y.at_clk, now_clk_);
        if (start_a != start_b) return start_a < start_b;
        if (x.path_clk != y.path_clk) return x.path_clk > y.path_clk;
        return a < b;
    }
    void segment(const Inst* insts, uint32_t count) {
        if (count < 2) {
            for (uint32_t n = 0; n < count; n++)
                place(insts[n]);
            return;
        }
        build(insts, count);
        now_clk_ = 0;
        ready_.clear();
        for (uint32_t n = 0; n < count; n++)
            if (!nodes_[n].waits_for) ready_.push_back(n);
        while (!ready_.empty()) {
            size_t best = 0;
            for (size_t k = 1; k < ready_.size(); k++)
                if (better(insts, ready_[k], ready_[best])) best = k;
            const uint32_t n = ready_[best];
            ready_.erase(ready_.begin() + ptrdiff_t(best));
            now_clk_ = std::max(now_clk_, nodes_[n].at_clk);
            const uint32_t issued_clk = now_clk_;
            place(insts[n]);
            for (uint32_t e = nodes_[n].edges; e != kNone; e = edges_[e].next) {
                Node& to = nodes_[edges_[e].to];
                to.at_clk = std::max(to.at_clk, issued_clk + edges_[e].clk);
                if (!--to.waits_for) ready_.push_back(edges_[e].to);
            }
        }
    }
    void build(const Inst* insts, uint32_t count) {
        nodes_.assign(count, Node{});
        edges_.clear();
        reader_links_.clear();
        last_store_ = last_position_ = last_discard_ = kNone;
        for (uint32_t n = 0; n < count; n++) {
            const auto forget = [&](uint32_t w, unsigned words) {
                for (unsigned k = 0; k < words; k++)
                    writer_[w + k] = readers_[w + k] = kNone;
            };
            for_each_read(insts[n], forget);
            for_each_write(insts[n], forget);
        }
        for (uint32_t n = 0; n < count; n++) {
            depend_on_words(insts, n);
            depend_on_order(insts, n);
        }
        for (uint32_t n = count; n-- > 0;) {
            Node& node = nodes_[n];
            node.path_clk = latency_clk(insts[n].proto);
            for (uint32_t e = node.edges; e != kNone; e = edges_[e].next)
                node.path_clk = std::max(node.path_clk, edges_[e].clk + nodes_[edges_[e].to].path_clk);
        }
    }
    static void name_positions(std::pmr::vector<Inst>& insts) {
        bool known = false;
        for (Inst& i : insts) {
            if (i.proto.info().message != Message::kVarying) continue;
            if (at_centre(i.proto))
                i.proto.set_update(known ? isa::UpdateMode::kRetrieve : isa::UpdateMode::kStore);
            known = at_centre(i.proto);
        }
    }

    Function& f_;
    const int budget_;
    const std::pmr::vector<backend::Bits> live_out_;
    std::pmr::vector<uint32_t> writer_, readers_;  // by word: node, link
    std::pmr::vector<uint32_t> reads_left_;        // by word, in the block; one more where it lives on
    std::pmr::vector<uint8_t> live_;               // by word
    std::pmr::vector<Node> nodes_;
    std::pmr::vector<Edge> edges_;
    std::pmr::vector<Link> reader_links_;
    std::pmr::vector<uint32_t> ready_;
    std::pmr::vector<Inst> out_;
    uint32_t last_store_ = kNone, last_position_ = kNone, last_discard_ = kNone;
    uint32_t now_clk_ = 0;
    int pressure_ = 0;
};

}  // namespace

void schedule(Function& f, unsigned budget) {
    Scheduler(f, budget).run();
}

}  // namespace terrazzo::mali::compiler
