// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/host/replay.h"

#include <cstdio>
#include <utility>

#include "drivers/common/capture/gzip.h"
#include "winsys/clock.h"

namespace terrazzo::host {

namespace {

constexpr const char* kNeverEnds = "it waits for a value that nothing writes";

unsigned long long n(uint64_t value) {
    return value;
}

}  // namespace

class Player::ReplayHost final : public Host {
  public:
    window::Space& space() override { return memory; }
    uint64_t timestamp() const override { return winsys::monotonic_ns() / 1000 * hz / 1'000'000; }
    bool should_stop() const override { return winsys::monotonic_ns() > deadline_ns; }
    /// Chunks that the recording has not seen are at addresses that drivers do not use.
    uint64_t grow_heap(uint64_t, uint32_t, uint32_t) override {
        constexpr uint64_t kHeap = uint64_t(1) << 46, kChunk_B = 2 << 20, kMostChunks = 1024;
        if (chunks_ == kMostChunks) return 0;
        const uint64_t va = kHeap + chunks_++ * kChunk_B;
        return memory.map(va, kChunk_B) ? va | kChunk_B >> 12 : 0;
    }

    capture::RecordedSpace memory;
    uint64_t deadline_ns = 0, hz = 0;

  private:
    uint64_t chunks_ = 0;
};

struct Player::Queue {
    uint32_t number = 0;  // in its group
    bool runs = false;
    uint64_t submission = 0;
    Submit submit;
};

struct Player::ReplayGroup {
    std::unique_ptr<Group> group;
    std::vector<Queue> queues;
};

Player::Player(const Vendor& vendor, const ReplayOptions& options, fields::Sink& sink, ReplayCounts* counts)
    : vendor_(vendor),
      options_(options),
      sink_(sink),
      counts_(*counts),
      host_(std::make_unique<ReplayHost>()) {}

Player::~Player() = default;

capture::RecordedSpace& Player::memory() {
    return host_->memory;
}

bool Player::map(uint64_t va, uint64_t size_B, std::string* error) {
    return memory().map(va, size_B) || capture::is_too_large(error);
}

bool Player::put(uint64_t va, std::span<const uint8_t> bytes, std::string* error) {
    return memory().put(va, bytes) || capture::is_too_large(error);
}

bool Player::choose(std::string* error) {
    const std::string& device = options_.device;
    if (device.empty()) return true;
    const std::string name = device.starts_with("sim:") ? device.substr(4) : device;
    chip_ = vendor_.find(name);
    if (!chip_) *error = "there is no chip '" + name + "'";
    return chip_;
}

bool Player::chip(uint32_t gpu_id, uint64_t variant, std::string* error) {
    if (chip_ || !(gpu_id || variant)) return true;
    for (const Chip* const c : vendor_.chips)
        if (c->is(gpu_id, variant)) {
            chip_ = c;
            return true;
        }
    char what[96];
    std::snprintf(what, sizeof what, "no virtual GPU of a chip %u (0x%x), variant 0x%llx", gpu_id, gpu_id,
                  n(variant));
    *error = what;
    return false;
}

bool Player::chip(const capture::Record& r, std::string* error) {
    if (r.vendor == vendor_.id) return chip(r.gpu_id, r.variant, error);
    *error = "it is a capture of another vendor's chip";
    return false;
}

Player::ReplayGroup* Player::group_of(uint32_t queue, std::string* error) {
    if (!chip_) {
        *error = "the file does not say which chip it is of: --device does";
        return nullptr;
    }
    const uint32_t count = chip_->most_queues();
    std::unique_ptr<ReplayGroup>& g = groups_[queue / count];
    if (g) return g.get();
    host_->hz = chip_->timestamp_hz();
    auto created = std::make_unique<ReplayGroup>();
    created->group = chip_->create_group(*host_, {.queues = count,
                                                  .threads = options_.threads,
                                                  .draws_nothing = options_.draws_nothing,
                                                  .watches = options_.pictures != nullptr});
    if (!created->group) throw std::bad_alloc();
    for (uint32_t i = 0; i < count; ++i)
        created->queues.push_back({.number = i, .submit = {}});
    g = std::move(created);
    return g.get();
}

bool Player::submit(uint32_t queue, std::span<const capture::RecordedStream> streams, std::string* error) {
    ReplayGroup* const group = group_of(queue, error);
    if (!group) return false;
    for (size_t most = chip_->most_streams(); streams.size() > most; streams = streams.subspan(most))
        if (!submit(queue, streams.first(most), error)) return false;
    Queue& q = group->queues[queue % group->queues.size()];
    host_->deadline_ns = winsys::monotonic_ns() + options_.limit_ns;
    // The kernel starts a queue's next submission when the one before has ended.
    if (q.runs) run_all();
    if (q.runs) end(*group, q, kNeverEnds);
    q.submit = {.streams = {}, .number = q.submit.number + 1, .switched = last_ != group, .follows = false};
    for (const capture::RecordedStream& s : streams)
        if (!memory().fills_gaps || memory().has_contents(s.va)) q.submit.streams.push_back({s.va, s.size_B});
    q.runs = true;
    q.submission = counts_.submits++;
    const Counters before = counts_.work;
    bool goes_on = false;
    run(*group, q, &goes_on);
    const Counters work = counts_.work - before;
    char text[192];
    std::snprintf(text, sizeof text,
                  "Submission %llu: queue %u, %llu packets, %llu draws, %llu dispatches, %llu blits%s",
                  n(q.submission), queue, n(work.packets), n(work.draws), n(work.dispatches),
                  n(work.blits + work.tile_transfers), q.runs ? ", and it waits" : "");
    sink_.line(0, text);
    if (work.instructions) {
        std::snprintf(text, sizeof text,
                      "%llu vertices, %llu primitives, %llu fragments, %llu samples passed, %llu texture "
                      "fetches, %llu instructions",
                      n(work.vertices), n(work.primitives), n(work.fragments), n(work.samples_passed),
                      n(work.texture_fetches), n(work.instructions));
        sink_.line(1, text);
    }
    if (q.submit.streams.size() < streams.size())
        sink_.line(1, "of " + std::to_string(streams.size()) + " command buffers, the recording has " +
                          std::to_string(q.submit.streams.size()));
    tell();
    return true;
}

void Player::run(ReplayGroup& group, Queue& q, bool* goes_on) {
    if (!q.runs) return;
    const Counters before = group.group->counters();
    last_ = &group;
    const RunResult result = group.group->run(q.number, q.submit);
    counts_.work += group.group->counters() - before;
    switch (result.status) {
        case RunStatus::Done:
            *goes_on = true;
            return end(group, q, "");
        case RunStatus::Blocked:
            *goes_on |= result.progressed;
            return;
        case RunStatus::Fault:
        case RunStatus::Fatal:
            return end(group, q, result.report);
        case RunStatus::Stopped:
            return end(group, q, "its time is over");
    }
}

void Player::run_all() {
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (auto& [number, group] : groups_)
            for (Queue& q : group->queues)
                run(*group, q, &goes_on);
    }
    tell();
}

/// `fault`: "" if there was none.
void Player::end(ReplayGroup& group, Queue& q, const std::string& fault) {
    q.runs = false;
    if (options_.pictures) {
        Picture picture;
        std::string why;
        picture.submission = q.submission;
        if (group.group->take_picture(&picture, &why)) {
            picture.submission = q.submission;
            options_.pictures->picture(picture);
            ++counts_.pictures;
        } else if (!why.empty()) {
            later_.push_back("no picture of submission " + std::to_string(q.submission) + ": " + why);
        }
    }
    if (fault.empty()) return;
    ++counts_.faults;
    later_.push_back("! submission " + std::to_string(q.submission) + ": " + fault);
    group.group->reset(q.number);
    last_ = nullptr;
}

void Player::tell() {
    for (const std::string& line : later_)
        sink_.line(1, line);
    later_.clear();
}

void Player::finish() {
    run_all();
    for (auto& [number, group] : groups_)
        for (Queue& q : group->queues)
            if (q.runs) end(*group, q, kNeverEnds);
    tell();
}

bool replay(std::span<const uint8_t> file, const Vendor& vendor, const ReplayOptions& options,
            fields::Sink& sink, ReplayCounts* counts, std::string* error) {
    Player player(vendor, options, sink, counts);
    if (!player.choose(error)) return false;
    std::vector<uint8_t> plain;
    if (capture::is_gzip(file)) {
        const char* reason = nullptr;
        if (!capture::gunzip(file, capture::kMostUnpacked_B, &plain, &reason)) {
            *error = reason;
            return false;
        }
        file = plain;
    }
    capture::Vendor of{};
    const bool good = vendor.play_tools_file && !capture::capture_vendor(file, &of)
                          ? vendor.play_tools_file(file, player, error)
                          : capture::play_capture(file, player, error);
    player.finish();
    return good;
}

}  // namespace terrazzo::host
