import Trove

/// What the samples of docs/concurrency.md take for granted.
enum ConcurrencyPage {
    @Model struct Song {
        var title: String
    }

    static var backend: any StorageBackend { missing() }
}
