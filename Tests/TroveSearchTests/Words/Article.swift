import Trove

/// A model with a full-text index of two fields and a substring index.
@Model
struct Article: Hashable {
    #FullText<Article>([\.title, \.body], stemming: .english, weights: [3, 1])
    var title: String
    var body: String
    @Attribute(.substring) var code: String
    @Attribute(.indexed) var year: Int
    var note: String?
}
