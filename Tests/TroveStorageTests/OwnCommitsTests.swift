import Testing
import TroveBackendKit
import TroveStorage

/// The commits of others are counted, and those of this process are not.
@Suite struct OwnCommitsTests {
    private let commits = OwnCommits()

    private func stamp(_ number: UInt64) -> StateStamp { StateStamp(7, number) }

    /// A look that finds a state, with nothing beside it.
    private func look(_ number: UInt64?) -> UInt64 {
        commits.judge(number.map(stamp), isNew: true, since: commits.beginLook()).othersCount
    }

    private func write(from start: UInt64, to end: UInt64, isOwn: Bool = true) {
        if commits.begin(at: { stamp(start) }) { commits.end(at: stamp(end), isOwn: isOwn) }
    }

    @Test func nothingIsNotedBeforeSomebodyLooks() {
        #expect(!commits.begin { Issue.record("nobody asked"); return nil })
        #expect(look(3) == 0)
        #expect(commits.begin { stamp(3) })
    }

    @Test func onlyStatesOfOthersCount() {
        #expect(look(1) == 0)
        write(from: 1, to: 2)
        write(from: 2, to: 3)
        #expect(look(3) == 0)
        #expect(look(4) == 1, "found between two writes")
        write(from: 6, to: 7)
        #expect(look(7) == 2, "found by a write")
        write(from: 7, to: 7)
        #expect(look(7) == 2, "a write that commits nothing")
        write(from: 7, to: 9, isOwn: false)
        #expect(look(9) == 3, "behind a write")
    }

    /// What a look reads beside a write may be before or after it, so the next look judges it.
    @Test func looksBesideAWriteAreNotJudged() {
        #expect(look(1) == 0)
        let before = commits.beginLook()
        write(from: 1, to: 2)
        #expect(commits.judge(stamp(1), isNew: true, since: before) == (0, false))
        #expect(commits.begin { stamp(2) })
        #expect(commits.judge(stamp(2), isNew: true, since: commits.beginLook()) == (0, false))
        commits.end(at: stamp(3), isOwn: true)
        #expect(commits.judge(stamp(3), isNew: true, since: commits.beginLook()) == (0, true))
    }

    @Test func whatIsNotToldCounts() {
        #expect(look(nil) == 0)
        #expect(look(nil) == 1)
        let (count, isJudged) = commits.judge(nil, isNew: false, since: commits.beginLook())
        #expect(count == 1 && isJudged)
        #expect(look(5) == 2)
    }
}
