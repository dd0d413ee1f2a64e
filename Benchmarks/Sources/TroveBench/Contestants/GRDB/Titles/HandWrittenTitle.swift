import GRDB

/// A title whose coding is written by hand.
struct HandWrittenTitle: FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "title"

    let id: Int64
    let title: String
    let seconds: Int
}

extension HandWrittenTitle {
    init(number: Int, _ data: TitleData) {
        self.init(id: Int64(number) + 1, title: data.title(number), seconds: data.seconds(number))
    }

    /// Reads the columns by position, which is GRDB's fastest way.
    init(row: Row) {
        id = row[0]
        title = row[1]
        seconds = row[2]
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["title"] = title
        container["seconds"] = seconds
    }
}

extension Tally {
    /// Adds titles.
    mutating func add(_ titles: [HandWrittenTitle]) {
        for title in titles { add(title: title.title, seconds: title.seconds) }
    }
}
