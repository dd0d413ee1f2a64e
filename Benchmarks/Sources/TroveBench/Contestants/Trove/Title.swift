import Trove

/// The object of the searches for words.
@Model
struct Title {
    var id: ObjectID
    @Attribute(.fullText) var title: String
    var seconds: Int
}

extension Title {
    init(number: Int, _ data: TitleData) {
        self.init(id: data.id(number), title: data.title(number), seconds: data.seconds(number))
    }
}

extension Tally {
    /// Adds titles.
    @inline(__always)
    mutating func add(_ titles: [Title]) {
        for title in titles { add(title: title.title, seconds: title.seconds) }
    }
}
