// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/mutation/mutation.h"

#include <random>

namespace terrazzo::test {

std::string Replay::run(const ReplayOptions& with) {
    options = with;
    const bool plain = !options.change && !options.damage;
    if (plain) places_.clear();
    made_.clear();
    memory.begin_run();
    const std::string complaint = run_all();
    if (complaint.empty() && plain && options.variant == 0) memory.end_first_run();
    // What comes out is compared without the change itself.
    for (const Change& c : made_)
        if (uint64_t* const w = memory.word(c.va); w && *w == (options.spoil ? c.spoiled : c.without))
            *w = c.word;
    return complaint;
}

void Replay::offer(const Place& place) {
    if (options.damage) return;
    if (!options.change) {
        places_.push_back(place);
        return;
    }
    if (!place.is_same(*options.change)) return;
    for (const Change& c : place.changes)
        if (uint64_t* const w = memory.word(c.va)) {
            *w = options.spoil ? c.spoiled : c.without;
            made_.push_back(c);
        }
}

void Replay::begin_submission(uint64_t number, const std::function<bool(uint64_t va)>& not_hosts) {
    memory.apply(recording.submissions[number], not_hosts);
    if (!options.damage) return;
    for (const Damage& d : *options.damage)
        if (d.submission == number) *memory.word(d.va) = d.value;
}

Outcome mutate(Replay& replay, unsigned every, unsigned first, bool ours) {
    Outcome out;
    if (out.broken = replay.run({}); !out.broken.empty()) return out;
    const uint64_t expected = replay.result();
    std::vector<Place> places = replay.places();
    std::vector<unsigned> variants = {0};
    for (unsigned v = 1; v < replay.variants(); ++v) {
        const std::string complaint = replay.run({.variant = v});
        if (!complaint.empty()) {
            if (!ours) continue;
            out.broken = "in its variant " + std::to_string(v) + ": " + complaint;
            return out;
        }
        variants.push_back(v);
        // Shaders that only this variant runs.
        const size_t known = places.size();
        for (const Place& p : replay.places()) {
            bool is_known = !p.shader;
            for (size_t i = 0; i < known && !is_known; ++i)
                is_known = places[i].is_same(p);
            if (!is_known) places.push_back(p);
        }
    }
    const auto complaint = [&](const Place& p, bool spoil) -> std::string {
        for (const unsigned v : variants) {
            std::string text = replay.run({.change = &p, .spoil = spoil, .variant = v});
            if (!text.empty()) return text;
            if (v == 0 && replay.result() != expected) return "something else comes out";
        }
        return "";
    };
    out.all = unsigned(places.size());
    for (size_t i = first % every; i < places.size(); i += every) {
        const Place& p = places[i];
        ++out.tried;
        if (const std::string text = complaint(p, false); !text.empty()) {
            ++out.noticed;
            out.complaints.push_back(p.what + ": " + text);
        } else if (complaint(p, true).empty()) {
            ++out.unreached;
        } else {
            out.unnoticed.push_back(p.what);
        }
    }
    return out;
}

DamageOutcome damage(Replay& replay, const Recording& recording, unsigned count, unsigned seed) {
    DamageOutcome out;
    if (out.broken = replay.run({}); !out.broken.empty()) return out;
    std::mt19937_64 random(seed);
    const auto below = [&](uint64_t n) { return random() % n; };
    for (unsigned n = 0; n < count; ++n) {
        std::vector<Damage> damages(1 + below(4));
        for (Damage& d : damages) {
            do
                d.submission = below(recording.submissions.size());
            while (recording.submissions[d.submission].changes.empty());
            // Long runs are vertices and texels: each run is as likely.
            const std::vector<Words>& changes = recording.submissions[d.submission].changes;
            const Words& run = changes[below(changes.size())];
            const uint64_t at = below(run.words.size()), was = run.words[at];
            constexpr uint64_t kEdges[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7f800000};
            const unsigned half = 32 * unsigned(below(2));
            d.va = run.va + 8 * at;
            switch (below(4)) {
                case 0:
                    d.value = was + ((below(65) - 32) << half);
                    break;
                case 1:
                    d.value = (was & ~(0xffffffffull << half)) | kEdges[below(std::size(kEdges))] << half;
                    break;
                case 2:
                    d.value = random() >> below(64);
                    break;
                default:
                    d.value = was ^ 1ull << below(64);
            }
        }
        const std::string text = replay.run({.damage = &damages});
        if (text == kUnexplained) {
            out.broken = "damaged (run " + std::to_string(n) + "): " + text;
            return out;
        }
        ++(text.empty() ? out.unharmed : text == kStopped ? out.stopped : out.complaints);
    }
    return out;
}

}  // namespace terrazzo::test
