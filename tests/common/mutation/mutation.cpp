// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/mutation/mutation.h"

#include <algorithm>
#include <random>

#include "tests/common/mutation/children.h"

namespace terrazzo::test {

std::string Replay::run(const ReplayOptions& with) {
    options = with;
    const bool plain = !options.change && !options.damage && !options.branch;
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
    if (options.change) {
        if (&branched_ != options.change && place.is_same(*options.change)) apply(place);
    } else if (!options.branch) {
        places_.push_back(place);
    } else if (options.branch(place)) {
        branched_ = place;
        options.change = &branched_;
        apply(place);
    }
}

void Replay::apply(const Place& place) {
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

namespace {

/// What became of one place: empty texts are of what nobody noticed.
struct Trial {
    const Place* place;
    std::string without, spoiled;
};

/// Runs the recording once as it is, and in a child process from each of the places on. What is wrong with
/// that, or "".
std::string try_all(Replay& replay, const std::vector<Trial*>& trials, unsigned variant, bool spoil,
                    uint64_t expected, unsigned jobs) {
    if (trials.empty()) return "";
    Children children(jobs);
    std::vector<bool> seen(trials.size());
    const auto branch = [&](const Place& p) {
        for (size_t i = 0; i < trials.size(); ++i) {
            if (seen[i] || !p.is_same(*trials[i]->place)) continue;
            seen[i] = true;
            return children.begin([to = spoil ? &trials[i]->spoiled : &trials[i]->without](
                                      const std::string& text) { *to = text; });
        }
        return false;
    };
    std::string complaint = replay.run({.spoil = spoil, .variant = variant, .branch = branch});
    if (children.is_child()) {
        if (complaint.empty() && variant == 0 && replay.result() != expected)
            complaint = "something else comes out";
        children.end(complaint);
    }
    const std::string lost = children.wait();
    return complaint.empty() ? lost : "the second time: " + complaint;
}

}  // namespace

Outcome mutate(Replay& replay, unsigned every, unsigned first, bool ours, unsigned jobs) {
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
    out.all = unsigned(places.size());
    std::vector<Trial> trials;
    for (size_t i = first % every; i < places.size(); i += every)
        trials.push_back({&places[i], {}, {}});
    out.tried = unsigned(trials.size());
    const auto open = [&](const Trial& t, bool spoil) { return (spoil ? t.spoiled : t.without).empty(); };
    for (const bool spoil : {false, true})
        for (const unsigned v : variants) {
            std::vector<Trial*> left;
            for (Trial& t : trials)
                if (open(t, false) && open(t, spoil)) left.push_back(&t);
            out.broken = try_all(replay, left, v, spoil, expected, jobs);
            if (!out.broken.empty()) return out;
        }
    for (const Trial& t : trials) {
        if (!t.without.empty()) {
            ++out.noticed;
            out.complaints.push_back(t.place->what + ": " + t.without);
        } else if (t.spoiled.empty()) {
            ++out.unreached;
        } else {
            out.unnoticed.push_back(t.place->what);
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
