import ProbeKit
import TestSupport
import Testing

@testable import Trove

/// The looks of an encrypted store for commits of other processes.
@Suite struct SealedObservationTests {
    @Model fileprivate struct Memo {
        let id: Int
        var text: String
    }

    @Test(arguments: [Engine.sqlite, .lmdb]) func onlyCommitsOfOthersAreTold(engine: Engine) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        let store = try ObjectStore(
            engine.openSealed(path), durability: .relaxed, observesOtherProcesses: .every(.seconds(3_600)), models: Memo.self)
        let observer = Observer(filters: [:])
        let registration = ObserverRegistration(observer, store.core.observers)
        #expect(registration.observer.wakeUp.take())
        for id in 1...5 {
            try store.save(Memo(id: id, text: "memo"))
            try store.core.otherProcesses.look()
            #expect(!observer.wakeUp.isDue)
        }
        let error = try ProbeProgram.run(["fill", engine.sealedName, path, "beside", "3"])
        #expect(error.isEmpty, "\(error)")
        try store.core.otherProcesses.look()
        #expect(observer.wakeUp.take())
        try store.core.otherProcesses.look()
        #expect(!observer.wakeUp.isDue)
        #expect(try store.fetch(Memo.self).count() == 5)
        try store.close()
    }
}
